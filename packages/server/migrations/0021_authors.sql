-- memhall: additive
-- Finds what a person wrote into documents of others, to erase it with the person.
CREATE INDEX audit_records_author ON memhall.audit_records (tenant_id, ((record::json -> 'actor') ->> 'user_id'))
  WHERE version IS NOT NULL AND ((record::json -> 'actor') ->> 'user_id') <> user_id;
