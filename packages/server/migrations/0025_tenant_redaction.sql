-- memhall: additive
-- What is redacted for a tenant in addition to secrets: labels such as CARD_NUMBER.
ALTER TABLE memhall.tenants ADD COLUMN also_redacted text[] COLLATE "C" NOT NULL DEFAULT '{}';
-- A tenant may have this setting and no language of its own.
ALTER TABLE memhall.tenants ALTER COLUMN language SET DEFAULT 'english';
