// Requests to the service of profiles, with a token.

import { NO_TOKEN, type Problem, UNREACHABLE, problemOf } from "./problem";

export type Attributes = Record<string, string>;

export interface Profile {
  reference: string;
  /** A JSON Schema or its URL; only groups have one. */
  schema?: string;
  attributes: Attributes;
  /** The version of the profile. */
  tag: string;
}

export type Answer = { profile: Profile } | { problem: Problem };

export class Service {
  readonly #token: string;
  readonly #profiles: string;

  /** `profiles` is the address of all profiles. */
  constructor(token: string, profiles: string) {
    this.#token = token;
    this.#profiles = profiles;
  }

  read(path: string): Promise<Answer> {
    return this.#ask("GET", path);
  }

  /** Adds or changes attributes; keeps all others. */
  merge({ reference, tag }: Profile, attributes: Attributes): Promise<Answer> {
    return this.#ask("PATCH", `${this.#profiles}/${reference}`, attributes, tag);
  }

  /** Replaces all attributes. */
  replace({ reference, tag }: Profile, attributes: Attributes): Promise<Answer> {
    return this.#ask("PUT", `${this.#profiles}/${reference}`, attributes, tag);
  }

  create(domainReference: string, attributes: Attributes, schema: string): Promise<Answer> {
    const profile = { domain: { domainReference }, attributes, ...(schema && { schema }) };
    return this.#ask("POST", this.#profiles, profile);
  }

  async #ask(method: string, path: string, body?: unknown, tag?: string): Promise<Answer> {
    const headers = new Headers();
    if (body !== undefined) {
      headers.set("Content-Type", "application/json;charset=UTF-8");
    }
    if (tag !== undefined) {
      headers.set("If-Match", tag);
    }
    try {
      headers.set("Authorization", `Bearer ${this.#token}`);
    } catch {
      return { problem: NO_TOKEN };
    }
    try {
      const answer = await fetch(path, { method, headers, cache: "no-store", ...(body !== undefined && { body: JSON.stringify(body) }) });
      if (!answer.ok) {
        return { problem: await problemOf(answer) };
      }
      const profile = (await answer.json()) as Omit<Profile, "tag">;
      return { profile: { ...profile, tag: answer.headers.get("ETag") ?? "*" } };
    } catch {
      return { problem: UNREACHABLE };
    }
  }
}
