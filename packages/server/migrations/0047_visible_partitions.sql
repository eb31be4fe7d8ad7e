-- memhall: additive
-- The index of large partitions compares with a list again instead of asking for every row: a word can have a hundred thousand
-- postings. The list is an expression without a subquery, which becomes part of the index scan.
CREATE FUNCTION memhall.visible_partitions() RETURNS text[] LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT ARRAY['u:' || current_setting('app.user_id', true), 'p:', 'u:workspace/' || current_setting('app.workspace_id', true)]
    || string_to_array(CASE WHEN current_setting('app.namespaces', true) = '' THEN ''
         ELSE 'n:' || replace(current_setting('app.namespaces', true), E'\n', E'\nn:') END, E'\n')
$$;
ALTER POLICY large_partitions_visible ON memhall.large_partitions
  USING (tenant_id = current_setting('app.tenant_id', true) AND partition = ANY (memhall.visible_partitions()));
ALTER POLICY memory_postings_visible ON memhall.memory_postings
  USING (tenant_id = current_setting('app.tenant_id', true) AND partition = ANY (memhall.visible_partitions()));
ALTER POLICY memory_terms_visible ON memhall.memory_terms
  USING (tenant_id = current_setting('app.tenant_id', true) AND partition = ANY (memhall.visible_partitions()));
