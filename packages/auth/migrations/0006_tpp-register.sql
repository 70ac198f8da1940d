-- The daily second look at the TPPs in the register of the EBA: on which days it was taken, and what was found.

-- Up Migration

CREATE TABLE tpp_register_check (
  day date PRIMARY KEY,
  -- One process takes a day; another one takes it again when it is not finished a while later.
  taken_at timestamptz NOT NULL DEFAULT now(),
  finished_at timestamptz
);

CREATE TABLE tpp_register_finding (
  organisation_identifier text COLLATE "C" PRIMARY KEY REFERENCES tpp (organisation_identifier),
  finding text COLLATE "C" NOT NULL
    CHECK (finding IN ('authorised', 'withdrawn', 'unclear', 'absent', 'exempt')),
  -- The first day of this finding without another one between, and the last.
  since date NOT NULL,
  found_on date NOT NULL
);

-- Down Migration

DROP TABLE tpp_register_finding;
DROP TABLE tpp_register_check;
