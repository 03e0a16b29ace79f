// Checks a value against a knob's limits and says what is wrong, as the real server does.
export function check(knob, key, value) {
  if (!knob) return [{ key, problem: 'there is no such setting', remedy: '`denizen settings list` shows every key' }];
  if (value === null) return [];
  const { type, min, max, options } = knob.limits;
  const refuse = (problem, remedy) => [{ key, problem, remedy }];
  switch (type) {
    case 'switch':
      return typeof value === 'boolean' ? [] : refuse(`${value} is neither true nor false`, 'Give true or false');
    case 'whole':
      return Number.isInteger(value) && value >= min && value <= max ? [] : refuse(`${value} is out of range`, `Give a whole number from ${min} to ${max}`);
    case 'fraction':
      return typeof value === 'number' && value >= min && value <= max ? [] : refuse(`${value} is out of range`, `Give a number from ${min} to ${max}`);
    case 'text':
      return typeof value === 'string' && value.length >= min && value.length <= max ? [] : refuse(`the text has ${String(value).length} characters`, `Give a text of ${min} to ${max} characters`);
    case 'choice':
      return options.includes(value) ? [] : refuse(`${value} is not one of the choices`, `Give one of ${options.join(', ')}`);
    default:
      return Array.isArray(value) && value.length <= max ? [] : refuse('it is not a list of short texts', `Give a list of at most ${max} texts`);
  }
}
