// What can be wrong with an answer, in words.

/** The body of an error. */
interface ErrorBody {
  error?: string;
  message?: string;
  details?: string[];
}

export interface Problem {
  /** Of HTTP; 0 if there was no answer. */
  status: number;
  inWords: string;
  /** What the server says. */
  message: string;
  /** Violations of a schema: `$.<attribute>: <reason>`. */
  details: string[];
}

const OF_TOKENS: Record<string, string> = {
  ACCOUNT_LOCKED: "Your account is locked.",
  TOKEN_EXPIRED: "The token has expired. Paste a new one.",
};

export const UNREACHABLE: Problem = {
  status: 0,
  inWords: "The server cannot be reached. Your changes are still on this page: try again later.",
  message: "",
  details: [],
};

export const NO_TOKEN: Problem = { status: 400, inWords: "This is not a token.", message: "", details: [] };

export async function problemOf(answer: Response): Promise<Problem> {
  const body = await bodyOf(answer);
  const message = body.message ?? `The server answered ${answer.status}.`;
  return { status: answer.status, inWords: words(answer, body, message), message, details: body.details ?? detailsIn(message) };
}

// A value that is refused without a schema is named in the message.
function detailsIn(message: string): string[] {
  const [, key, reason] = /^The value of "(.*)" (.*)\.$/s.exec(message) ?? [];
  return key === undefined ? [] : [`$.${key}: ${reason ?? ""}`];
}

function words(answer: Response, body: ErrorBody, message: string): string {
  switch (answer.status) {
    case 400:
      return answer.headers.has("WWW-Authenticate") ? NO_TOKEN.inWords : message;
    case 401:
      return OF_TOKENS[body.error ?? ""] ?? "This token is not valid for this server.";
    case 403:
      return `You are not allowed to do this: ${message}`;
    case 404:
      return `Not found: ${message}`;
    case 409:
      return `It already exists: ${message}`;
    case 422:
      return message;
    case 503: {
      const seconds = answer.headers.get("Retry-After");
      return `The service is not available now: ${message}${seconds ? ` Try again in ${seconds} s.` : ""}`;
    }
    default:
      return `Something went wrong: ${message}`;
  }
}

async function bodyOf(answer: Response): Promise<ErrorBody> {
  try {
    return (await answer.json()) as ErrorBody;
  } catch {
    return {};
  }
}
