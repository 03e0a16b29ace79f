// Finding a setting by what it is about: by its words, by other words for the same, and by beginnings. Pure.

/** Words that stand for one another in a search. What people type is on the left; what settings are described with, on the right. */
const MEANINGS: readonly (readonly [asked: string, said: string])[] = [
  ['money cost price dollar cheap expensive bill pay spend spending budget afford', 'dollars cost tokens budget calls'],
  ['talkative chatty quiet silent spam annoying often frequency noisy shut less more', 'eager unasked per_hour between_two messages_in_an_hour speak'],
  ['slow fast speed quick delay latency impatient hurry', 'wait seconds pause how_long timeout burst'],
  ['privacy private secret gdpr delete erase forget retention history', 'keep private memories travel reach days'],
  ['ai gpt claude gemini ollama llama openai anthropic chatgpt brain api key', 'model provider llm server'],
  ['personality character tone style mood prompt instructions soul voice', 'persona what_it_is_like randomness'],
  ['nickname alias call called mention', 'name names answers_to'],
  ['ban block ignore mute banned blacklist deny forbid', 'never blocked'],
  ['allow whitelist only restrict permission', 'only may let allowed'],
  ['image images photo photos picture pictures art draw', 'pictures image jpeg'],
  ['video clip stream streaming screenshare share screen monitor desktop', 'screen clips share frames stream'],
  ['remember memory recall fact facts knowledge learn', 'memories remember gems facts'],
  ['summary summaries summarize summarise long context compact compress condense', 'summary summarise folded prompt window'],
  ['web internet google search browse browser lookup online url website', 'web look_up look-ups search pages browser'],
  ['autonomous proactive initiative spontaneous ambient unprompted bored idea ideas', 'thoughts thinks by_itself own unasked'],
  ['news reddit feed feeds rss youtube twitter source sources', 'sources feeds subreddits handles items'],
  ['disk space storage size database backup', 'keep megabytes size days'],
  ['creative creativity random temperature boring', 'randomness chance'],
  ['emoji gif gifs meme memes', 'gif'],
  ['reply replies answer answers respond response', 'reply replies answer'],
  ['adult porn nsfw safe', 'nsfw safe_for_work'],
  ['room rooms channel channels', 'channels rooms'],
  ['user users person people member members', 'people users'],
  ['retry retries fail failed error errors', 'failed tries retry'],
  ['length long short verbose brief size', 'longest shortest characters tokens'],
];

const stem = (word: string): string => word.replace(/(ies|ing|ers?|ed|es|s)$/, '') || word;

/** How well a text fits what is looked for: 0 not at all, 1 by meaning, 2 by its own words. */
export function fits(text: string, search: string): 0 | 1 | 2 {
  const terms = search.toLowerCase().split(/\s+/).filter(Boolean);
  const haystack = text.toLowerCase();
  let weakest: 1 | 2 = 2;
  for (const term of terms) {
    const how = fitsTerm(haystack, term);
    if (how === 0) return 0;
    if (how === 1) weakest = 1;
  }
  return weakest;
}

function fitsTerm(haystack: string, term: string): 0 | 1 | 2 {
  if (haystack.includes(term)) return 2;
  if (stem(term).length >= 4 && haystack.includes(stem(term))) return 2;
  return otherWords(term).some((word) => haystack.includes(word)) ? 1 : 0;
}

function otherWords(term: string): string[] {
  if (term.length < 2) return [];
  const meant = (word: string) => word === term || (term.length >= 3 && (word.startsWith(term) || stem(word) === stem(term)));
  return MEANINGS.filter(([asked]) => asked.split(' ').some(meant)).flatMap(([, said]) => said.split(' ').map((word) => word.replaceAll('_', ' ')));
}
