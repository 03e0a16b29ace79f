// A refusal with a status and a message for a person, as the API's errors are.
export class ApiProblem extends Error {
  constructor(status, code, message, details, extra) {
    super(message);
    Object.assign(this, { status, code, details, extra });
  }
}
