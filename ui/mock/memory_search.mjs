// The mock's search: by shared words, with parts of a score that look like the real ones.
export function found(memory, { q, room, person, kinds, superseded, limit }) {
  const asked = words(q);
  const sees = (place) => !room || place.room === room || !place.private;
  const records = [
    ...(kinds === 'turns' ? [] : memory.gems.filter((gem) => (superseded || !gem.superseded_by) && (!person || gem.person === person)).map((gem) => ({ record: { gem }, text: `${gem.content} ${gem.summary} ${gem.topics.join(' ')}`, place: gem.place, at: Date.parse(gem.created_at), weight: gem.importance, ageless: gem.pinned || gem.standing }))),
    ...(kinds === 'gems' ? [] : memory.turns.filter((turn) => !person || turn.speaker.id === person).map((turn) => ({ record: { turn }, text: turn.text, place: turn.place, at: turn.at, weight: 0.5, ageless: false }))),
  ];
  return records.filter(({ place }) => sees(place)).map((each) => scored(memory, asked, each)).filter(({ scores }) => scores.total > 0.05).sort((left, right) => right.scores.total - left.scores.total).slice(0, limit);
}

function scored(memory, asked, { record, text, at, weight, ageless }) {
  const has = new Set(words(text));
  const matched = asked.filter((word) => has.has(word));
  const through = 'turn' in record ? memory.gems.filter((gem) => gem.source.turns.includes(record.turn.id) && words(gem.content).some((word) => asked.includes(word))).map((gem) => gem.gem_id) : [];
  const lexical = asked.length ? matched.length / asked.length : 0;
  const dense = lexical * 0.7 + letters(asked, has) * 0.3;
  const keys = through.length ? 0.4 : 0;
  const recency = ageless ? 1 : Math.max(0.6, 1 - (Date.now() - at) / (400 * 86_400_000));
  const importance = 0.85 + weight * 0.3;
  const raw = 0.5 * lexical + 0.35 * dense + 0.15 * keys;
  return { record, scores: { total: matched.length || through.length ? raw * recency * importance : 0, confidence: Math.min(0.97, raw), lexical, dense, surroundings: 'turn' in record ? lexical * 0.3 : 0, keys, recency, importance }, matched: [...new Set(matched)], through };
}

/** A poor man's meaning: how many words begin alike. */
function letters(asked, has) {
  const near = asked.filter((word) => [...has].some((other) => other.slice(0, 3) === word.slice(0, 3)));
  return asked.length ? near.length / asked.length : 0;
}

const IDLE = new Set(['the', 'is', 'a', 'an', 'of', 'in', 'on', 'to', 'and', 'what', 'who', 'how', 'does', 'do', 'her', 'his', 'not', 'no', 'for']);
const words = (text) => (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).filter((word) => !IDLE.has(word)).map((word) => (word.length > 4 ? word.replace(/s$/, '') : word));
