// Plain words for the mock's journal lines and verdicts, in the manner of the real server.
const SENTENCES = {
  text_message_received: (d) => `${d.authorName} wrote ${d.characters} characters${d.images ? ` and ${d.images} picture(s)` : ''}.`,
  text_admission_decided: (d) =>
    d.allow
      ? `The gate let it pass: it was addressed to Denizen (${d.address}, ${d.rule}).`
      : 'The gate did not let it pass: it was not addressed to Denizen, and Denizen had not said anything lately.',
  text_message_queued: (d) => `It waits up to ${d.closesIn / 1000} s for the rest of what its author has to say.`,
  text_turn_opened: (d) => `The burst was finished after ${d.waited} ms; a reply to ${d.triggerMessageIds.length} message(s) is being attempted.`,
  recall_started: (d) => `Older messages about “${d.words}” are being looked for.`,
  recall_completed: (d) => `${d.messages} older message(s) were found in ${d.took} ms.`,
  ask_started: (d) => `${d.model} was asked for a reply, with a prompt of ${d.promptCharacters} characters${d.sectionsTrimmed.length ? `; trimmed: ${d.sectionsTrimmed.join(', ')}` : ''}.`,
  ask_completed: (d) => `${d.model} answered in ${(d.took / 1000).toFixed(1)} s (${d.inputTokens} tokens in, ${d.outputTokens} out).`,
  ask_failed: (d) => `The model did not answer: ${d.detail}`,
  text_delivery_started: (d) => `The reply (${d.characters} characters) is on its way into the room.`,
  sent_reply: () => 'The reply was sent, threaded to the message.',
  sent_message: () => 'The reply was sent to the room.',
  reply_skipped: (d) => `No reply was made: ${d.detail || d.reason.replaceAll('_', ' ')}.`,
  text_turn_ended: (d) => `The turn is over: ${d.outcome}.`,
  text_message_edited: () => 'Its author changed it.',
  text_message_deleted: () => 'Its author took it back.',
};

export function sentence(entry) {
  return SENTENCES[entry.name]?.(entry.data) ?? entry.name.replaceAll('_', ' ');
}

export function verdict(entries, message) {
  if (message.author.kind === 'denizen') return { outcome: 'own', sentence: 'Denizen wrote this because it was asked to by name.' };
  const has = (name) => entries.findLast((entry) => entry.name === name);
  const skipped = has('reply_skipped');
  if (has('sent_reply') || has('sent_message')) {
    const decided = has('text_admission_decided');
    return { outcome: 'answered', sentence: `Answered: it was addressed to Denizen (${decided?.data.rule ?? 'by name'}).` };
  }
  if (skipped?.data.reason === 'model_failed') return { outcome: 'failed', sentence: 'Not answered, because the model could not be reached and all tries are used up.' };
  if (skipped) return { outcome: 'silent', sentence: 'Passed over: nobody spoke to Denizen, and it was not part of the conversation.' };
  return { outcome: 'waiting', sentence: 'Denizen is still at it.' };
}

export const EVENTS = [
  ['text_message_received', 'A message reached the mind.', ['author', 'author_name', 'characters', 'images']],
  ['text_admission_decided', 'The admission gate (stage A) decided whether a reply is attempted at all.', ['gate', 'allow', 'reason', 'address', 'rule', 'confidence', 'forced']],
  ['reply_skipped', 'No reply was made, and this is why.', ['reason', 'detail']],
  ['text_message_queued', 'An admitted message waits for the burst it belongs to to finish.', ['burst_messages', 'queue_length', 'closes_in']],
  ['text_turn_opened', 'A burst was finished, and a reply to it is being attempted.', ['author', 'trigger_message_ids', 'forced', 'waited']],
  ['recall_started', 'Older messages that might fit are being looked for.', ['words']],
  ['recall_completed', 'The look-up came back.', ['messages', 'took', 'failure']],
  ['ask_started', 'A model was asked.', ['ask', 'purpose', 'provider', 'model', 'attempt']],
  ['ask_completed', 'A model answered.', ['ask', 'purpose', 'took', 'first_text']],
  ['ask_failed', 'A model did not answer.', ['ask', 'kind', 'detail']],
  ['text_delivery_started', 'A message is on its way into the room.', ['delivery', 'part', 'parts', 'characters']],
  ['sent_reply', 'A reply to a message was sent.', ['message', 'reply_to', 'trigger_message_ids']],
  ['sent_message', 'A message was sent to the channel.', ['message', 'trigger_message_ids']],
  ['text_turn_ended', 'The turn is over; every admitted turn has exactly one of these.', ['outcome', 'took']],
  ['text_message_edited', 'A message was changed by its author.', ['while_waiting', 'while_answering']],
  ['text_message_deleted', 'A message was taken back by its author.', ['while_waiting', 'while_answering']],
  ['voice_context_compaction_skipped', 'Folding was considered, and this is why it was not begun.', ['reason', 'cursor', 'repeated']],
  ['voice_context_compaction_started', 'Old turns are being folded into the summary.', ['cursor', 'batch_size', 'recent_start', 'pending_note_count']],
  ['voice_context_compaction_completed', 'The summary is a new one, and what it covers has left the context.', ['old_cursor', 'cursor', 'summary_chars', 'latency_ms', 'summariser']],
  ['voice_context_compaction_failed', 'No new summary came; nothing has changed.', ['ask', 'error', 'detail', 'retryable', 'falls_back']],
  ['voice_context_session_ended', 'A session ended; its summary was offered to memory.', ['turns', 'cursor', 'offered_chars']],
  ['memory_extraction_started', 'Gems are being made of what was said.', ['extraction', 'reason', 'turns']],
  ['memory_gems_stored', 'Gems were stored.', ['extraction', 'added', 'superseded']],
  ['memory_forgotten', 'Something was removed from memory for good.', ['gems', 'turns']],
  ['stream_watch_share_started', 'Somebody began to share a screen.', ['share', 'shared_by', 'source', 'shares']],
  ['stream_watch_share_ended', 'A share is over.', ['share', 'reason', 'lasted', 'frames']],
  ['stream_watch_started', 'A screen is being watched.', ['share', 'shared_by', 'because']],
  ['stream_watch_ended', 'A screen is not watched any more.', ['share', 'reason']],
  ['stream_watch_target_left_open', 'Several people share, and nobody has chosen.', ['shares']],
  ['stream_watch_note_started', 'A note on the screen is being taken.', ['ask', 'frame', 'trigger']],
  ['stream_watch_note_taken', 'A note on the screen was taken.', ['ask', 'frame', 'trigger', 'outcome']],
  ['stream_watch_commentary_deferred', 'A comment waits for a gate.', ['trigger', 'gate']],
  ['stream_watch_commentary_started', 'A comment is being considered.', ['ask', 'frame', 'trigger']],
  ['stream_watch_commentary_skipped', 'Nothing was said about the screen.', ['ask', 'reason']],
  ['stream_watch_commentary_spoken', 'Something was said about the screen.', ['ask', 'message']],
  ['initiative_post', 'Something of its own was posted.', ['messages', 'characters']],
  ['ambient_tick_decided', 'Once a minute: whether it may think of something.', ['ran', 'gate', 'roll', 'below']],
  ['ambient_run_started', 'A thought began.', ['trial', 'revisits']],
  ['ambient_run_ended', 'A thought came to its end.', ['trial', 'action']],
  ['ambient_thought_held', 'A thought is held for later.', ['characters']],
  ['ambient_thought_dropped', 'A held thought was dropped.', ['reason']],
  ['ambient_outcome_counted', 'What came back for a post was counted.', ['reactions', 'replies']],
  ['message_reaction_changed', 'Somebody gave or took back a reaction.', ['emoji', 'added']],
  ['settings_changed', 'The settings were changed.', ['version', 'changed']],
].map(([name, meaning, fields]) => ({ name, meaning, fields }));
