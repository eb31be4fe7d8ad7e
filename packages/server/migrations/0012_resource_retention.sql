-- memhall: additive
-- How long files that users upload may be kept. NULL: as long as they like.

ALTER TABLE memhall.retention_ceilings ADD COLUMN resources_days integer;
