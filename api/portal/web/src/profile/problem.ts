// Descriptions of failed requests.

/** The body of an error. */
interface ErrorBody {
  error?: string;
  message?: string;
  details?: string[];
}

export interface Problem {
  /** The HTTP status; 0 without an answer. */
  status: number;
  text: string;
  /** The message of the server. */
  message: string;
  /** Violations of a schema: `$.<attribute>: <reason>`. */
  details: string[];
}

const TOKEN_PROBLEMS: Record<string, string> = {
  ACCOUNT_LOCKED: "Your account is locked.",
  TOKEN_EXPIRED: "The token has expired. Paste a new one.",
};

export const UNREACHABLE: Problem = {
  status: 0,
  text: "The server cannot be reached. Your changes are still on this page: try again later.",
  message: "",
  details: [],
};

export const NO_TOKEN: Problem = { status: 400, text: "This is not a token.", message: "", details: [] };

export async function problemOf(answer: Response): Promise<Problem> {
  const body = await bodyOf(answer);
  const message = body.message ?? `The server answered ${answer.status}.`;
  return { status: answer.status, text: describe(answer, body, message), message, details: body.details ?? detailsIn(message) };
}

// A value rejected without a schema is named in the message.
function detailsIn(message: string): string[] {
  const [, key, reason] = /^The value of "(.*)" (.*)\.$/s.exec(message) ?? [];
  return key === undefined ? [] : [`$.${key}: ${reason ?? ""}`];
}

function describe(answer: Response, body: ErrorBody, message: string): string {
  switch (answer.status) {
    case 400:
      return answer.headers.has("WWW-Authenticate") ? NO_TOKEN.text : message;
    case 401:
      return TOKEN_PROBLEMS[body.error ?? ""] ?? "This token is not valid for this server.";
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
