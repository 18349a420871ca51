-- Profiles, each with what its owner is found by. A row is written by one statement, so that all of it is there or nothing.
CREATE TABLE profiles (
    reference uuid PRIMARY KEY,
    user_id uuid UNIQUE,
    domain text COLLATE "C" UNIQUE,
    version bigint NOT NULL CHECK (version > 0),
    -- The profile as a line of an export. It is text, since json types would not keep every byte.
    line text NOT NULL,
    -- SHA-256 of the attributes by which users are found; the email in lower case.
    email bytea,
    name bytea,
    CHECK (num_nonnulls(user_id, domain) = 1)
) WITH (fillfactor = 80);

CREATE INDEX profiles_by_email ON profiles (email, user_id) WHERE email IS NOT NULL;

CREATE INDEX profiles_by_name ON profiles (name, user_id) WHERE name IS NOT NULL;

-- A line for each write, committed together with it. It has no other index, since each costs every write.
CREATE TABLE profiles_audit (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    written_at timestamptz NOT NULL DEFAULT now(),
    profile uuid NOT NULL,
    -- As in the audit log.
    line text NOT NULL
);
