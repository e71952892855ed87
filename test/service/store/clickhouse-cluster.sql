-- More events are flushed

CREATE TABLE IF NOT EXISTS version_v1_commits ON CLUSTER `main` (kind LowCardinality(String), number UInt32, settle UInt64, segments Array(String)) ENGINE = ReplicatedMergeTree('/clickhouse/tables/{uuid}/whole', '{shard}_{replica}') ORDER BY (kind, number);

CREATE TABLE IF NOT EXISTS version_v1_promoted ON CLUSTER `main` (kind LowCardinality(String), number UInt32, name String) ENGINE = ReplicatedMergeTree('/clickhouse/tables/{uuid}/whole', '{shard}_{replica}') ORDER BY (kind, number);

CREATE TABLE IF NOT EXISTS events_v1_rows_shard ON CLUSTER `main` (settle UInt64 CODEC(ZSTD(1)), event LowCardinality(String), time Int64 CODEC(Delta, ZSTD(1)), distinct_id String, insert_id Nullable(String), properties String CODEC(ZSTD(1))) ENGINE = ReplicatedMergeTree() ORDER BY (event, intDiv(time, 86400), cityHash64(distinct_id));

CREATE TABLE IF NOT EXISTS events_v1_rows ON CLUSTER `main` AS events_v1_rows_shard ENGINE = Distributed(`main`, `analytics`, events_v1_rows_shard, cityHash64(distinct_id));

CREATE TABLE IF NOT EXISTS people_v1_rows_shard ON CLUSTER `main` (settle UInt64 CODEC(ZSTD(1)), distinct_id String, properties String CODEC(ZSTD(1))) ENGINE = ReplicatedMergeTree() PARTITION BY settle ORDER BY distinct_id;

CREATE TABLE IF NOT EXISTS people_v1_rows ON CLUSTER `main` AS people_v1_rows_shard ENGINE = Distributed(`main`, `analytics`, people_v1_rows_shard, cityHash64(distinct_id));

SYSTEM SYNC REPLICA ON CLUSTER `main` version_v1_commits;

INSERT INTO version_v1_commits (kind, number, settle) SETTINGS async_insert = 0, insert_deduplicate = 0, distributed_foreground_insert = 1, parallel_distributed_insert_select = 0, input_format_json_read_objects_as_strings = 1
SELECT {kind:String}, 0, toUInt64OrZero(arrayJoin({failed:Array(String)})) AS failed
WHERE failed NOT IN (SELECT settle FROM version_v1_commits WHERE kind = {kind:String});

SYSTEM SYNC REPLICA ON CLUSTER `main` version_v1_commits;

SELECT max(number) AS commits, argMax(flush, number) AS last,
  groupUniqArrayArray(arrayIntersect(files, {files:Array(String)})) AS known
FROM (SELECT settle AS flush, min(c.number) AS number, any(c.segments) AS files
FROM `analytics`.version_v1_commits AS c WHERE kind = 'events' GROUP BY flush HAVING number > 0);

SELECT DISTINCT settle AS flush FROM events_v1_rows WHERE settle GLOBAL NOT IN (SELECT flush FROM (SELECT settle AS flush, min(c.number) AS number, any(c.segments) AS files
FROM `analytics`.version_v1_commits AS c WHERE kind = 'events' GROUP BY flush HAVING number > 0));

DELETE FROM events_v1_rows_shard ON CLUSTER `main` WHERE settle = {flush:UInt64};

DROP TABLE IF EXISTS events_v1_incoming_7 ON CLUSTER `main` SETTINGS max_table_size_to_drop = 0;

DROP TABLE IF EXISTS events_v1_incoming_7_shard ON CLUSTER `main` SETTINGS max_table_size_to_drop = 0;

CREATE TABLE IF NOT EXISTS events_v1_incoming_42_shard ON CLUSTER `main` (position UInt64, event LowCardinality(String), time Int64 CODEC(Delta, ZSTD(1)), distinct_id String, insert_id Nullable(String), properties String CODEC(ZSTD(1)), earliness UInt64 MATERIALIZED 18446744073709551615 - position) ENGINE = ReplicatedReplacingMergeTree(earliness) ORDER BY (ifNull(insert_id, ''), if(isNull(insert_id), position, 0));

CREATE TABLE IF NOT EXISTS events_v1_incoming_42 ON CLUSTER `main` AS events_v1_incoming_42_shard ENGINE = Distributed(`main`, `analytics`, events_v1_incoming_42_shard, cityHash64(ifNull(insert_id, ''), if(isNull(insert_id), position, 0)));

INSERT INTO events_v1_incoming_42 (position, event, time, distinct_id, insert_id, properties) SETTINGS async_insert = 0, insert_deduplicate = 0, distributed_foreground_insert = 1, parallel_distributed_insert_select = 0, input_format_json_read_objects_as_strings = 1 FORMAT JSONEachRow;

SELECT (SELECT arrayMap(row -> row.2, arraySort(groupArray((number, name)))) FROM version_v1_promoted WHERE kind = 'events') AS names;

SELECT count() AS records FROM events_v1_incoming_42;

WITH JSONExtractKeysAndValuesRaw(properties) AS direct,
  arrayConcat(direct, arrayMap(json -> JSONExtractKeysAndValuesRaw(onwhere_readable(json)),
    if(empty(direct) AND NOT isValidJSON(if(empty(direct), properties, '{}')), [properties], []))[1]) AS pairs SELECT pair.1 AS name, transform(substring(pair.2, 1, 1), ['"', 't', 'f', 'n', '[', '{'], ['string', 'boolean', 'boolean', 'null', 'list', ''], 'number') AS type, count() AS values
FROM (SELECT arrayJoin(pairs) AS pair FROM (SELECT properties FROM events_v1_incoming_42 LIMIT 100000))
GROUP BY name, type HAVING type != '' ORDER BY values DESC, name LIMIT 1000 SETTINGS max_rows_to_group_by = 100000, group_by_overflow_mode = 'any';

INSERT INTO version_v1_promoted (kind, number, name) SETTINGS async_insert = 0, insert_deduplicate = 0, distributed_foreground_insert = 1, parallel_distributed_insert_select = 0, input_format_json_read_objects_as_strings = 1 FORMAT JSONEachRow;

SYSTEM SYNC REPLICA ON CLUSTER `main` version_v1_promoted;

WITH (SELECT arrayMap(row -> row.2, arraySort(groupArray((number, name)))) FROM version_v1_promoted WHERE kind = 'events') AS promoted, JSONExtractKeysAndValuesRaw(properties) AS direct,
  arrayConcat(direct, arrayMap(json -> JSONExtractKeysAndValuesRaw(onwhere_readable(json)),
    if(empty(direct) AND NOT isValidJSON(if(empty(direct), properties, '{}')), [properties], []))[1]) AS pairs
SELECT DISTINCT transform(pair.1, promoted, arrayEnumerate(promoted), 0) AS number, transform(substring(pair.2, 1, 1), ['"', 't', 'f', 'n', '[', '{'], ['string', 'boolean', 'boolean', 'null', 'list', ''], 'number') AS type
FROM (SELECT arrayJoin(pairs) AS pair FROM events_v1_incoming_42)
WHERE number != 0 AND type != '' ORDER BY number, type;

CREATE OR REPLACE VIEW events_v1_all_shard ON CLUSTER `main` AS SELECT settle, event, time, distinct_id, insert_id, properties, p1_string, p2_number FROM `analytics`.events_v1_rows_shard;

CREATE OR REPLACE VIEW events_v1_shard ON CLUSTER `main` AS SELECT event, time, distinct_id, insert_id, properties, p1_string, p2_number FROM `analytics`.events_v1_all_shard WHERE settle IN (SELECT flush FROM (SELECT settle AS flush, min(c.number) AS number, any(c.segments) AS files
FROM `analytics`.version_v1_commits AS c WHERE kind = 'events' GROUP BY flush HAVING number > 0));

CREATE OR REPLACE TABLE events_v1 ON CLUSTER `main` (event LowCardinality(String), time Int64, distinct_id String, insert_id Nullable(String), properties String, p1_string Nullable(String), p2_number Nullable(Float64)) ENGINE = Distributed(`main`, `analytics`, events_v1_shard);

INSERT INTO events_v1_rows (settle, event, time, distinct_id, insert_id, properties, p1_string, p2_number) SETTINGS async_insert = 0, insert_deduplicate = 0, distributed_foreground_insert = 1, parallel_distributed_insert_select = 0, input_format_json_read_objects_as_strings = 1 WITH (SELECT arrayMap(row -> row.2, arraySort(groupArray((number, name)))) FROM version_v1_promoted WHERE kind = 'events') AS promoted,
  JSONExtractKeysAndValuesRaw(properties) AS direct,
  arrayConcat(direct, arrayMap(json -> JSONExtractKeysAndValuesRaw(onwhere_readable(json)),
    if(empty(direct) AND NOT isValidJSON(if(empty(direct), properties, '{}')), [properties], []))[1]) AS pairs,
  pairs.1 AS names,
  pairs.2 AS values,
  values[indexOf(names, promoted[1])] AS json1,
  values[indexOf(names, promoted[2])] AS json2
SELECT {flush:UInt64}, event, time, distinct_id, insert_id, properties, if(startsWith(json1, '"'), JSONExtractString(json1), NULL), onwhere_decimal(json2)
FROM events_v1_incoming_42 FINAL WHERE insert_id IS NULL OR NOT (insert_id GLOBAL IN (SELECT insert_id FROM events_v1 WHERE insert_id GLOBAL IN (SELECT insert_id FROM events_v1_incoming_42)));

SYSTEM SYNC REPLICA ON CLUSTER `main` events_v1_rows_shard;

INSERT INTO version_v1_commits (kind, number, settle, segments) SETTINGS async_insert = 0, insert_deduplicate = 0, distributed_foreground_insert = 1, parallel_distributed_insert_select = 0, input_format_json_read_objects_as_strings = 1
SELECT {kind:String}, {number:UInt32}, {flush:UInt64}, {files:Array(String)} WHERE (SELECT max(number) FROM (SELECT settle AS flush, min(c.number) AS number, any(c.segments) AS files
FROM `analytics`.version_v1_commits AS c WHERE kind = 'events' GROUP BY flush HAVING number > 0)) = {number:UInt32} - 1;

SYSTEM SYNC REPLICA ON CLUSTER `main` version_v1_commits;

SELECT flush FROM (SELECT settle AS flush, min(c.number) AS number, any(c.segments) AS files
FROM `analytics`.version_v1_commits AS c WHERE kind = 'events' GROUP BY flush HAVING number > 0) WHERE number = {number:UInt32};

DROP TABLE IF EXISTS events_v1_incoming_42 ON CLUSTER `main` SETTINGS max_table_size_to_drop = 0;

DROP TABLE IF EXISTS events_v1_incoming_42_shard ON CLUSTER `main` SETTINGS max_table_size_to_drop = 0;

-- More people are flushed

CREATE TABLE IF NOT EXISTS version_v1_commits ON CLUSTER `main` (kind LowCardinality(String), number UInt32, settle UInt64, segments Array(String)) ENGINE = ReplicatedMergeTree('/clickhouse/tables/{uuid}/whole', '{shard}_{replica}') ORDER BY (kind, number);

CREATE TABLE IF NOT EXISTS version_v1_promoted ON CLUSTER `main` (kind LowCardinality(String), number UInt32, name String) ENGINE = ReplicatedMergeTree('/clickhouse/tables/{uuid}/whole', '{shard}_{replica}') ORDER BY (kind, number);

CREATE TABLE IF NOT EXISTS events_v1_rows_shard ON CLUSTER `main` (settle UInt64 CODEC(ZSTD(1)), event LowCardinality(String), time Int64 CODEC(Delta, ZSTD(1)), distinct_id String, insert_id Nullable(String), properties String CODEC(ZSTD(1))) ENGINE = ReplicatedMergeTree() ORDER BY (event, intDiv(time, 86400), cityHash64(distinct_id));

CREATE TABLE IF NOT EXISTS events_v1_rows ON CLUSTER `main` AS events_v1_rows_shard ENGINE = Distributed(`main`, `analytics`, events_v1_rows_shard, cityHash64(distinct_id));

CREATE TABLE IF NOT EXISTS people_v1_rows_shard ON CLUSTER `main` (settle UInt64 CODEC(ZSTD(1)), distinct_id String, properties String CODEC(ZSTD(1))) ENGINE = ReplicatedMergeTree() PARTITION BY settle ORDER BY distinct_id;

CREATE TABLE IF NOT EXISTS people_v1_rows ON CLUSTER `main` AS people_v1_rows_shard ENGINE = Distributed(`main`, `analytics`, people_v1_rows_shard, cityHash64(distinct_id));

SYSTEM SYNC REPLICA ON CLUSTER `main` version_v1_commits;

INSERT INTO version_v1_commits (kind, number, settle) SETTINGS async_insert = 0, insert_deduplicate = 0, distributed_foreground_insert = 1, parallel_distributed_insert_select = 0, input_format_json_read_objects_as_strings = 1
SELECT {kind:String}, 0, toUInt64OrZero(arrayJoin({failed:Array(String)})) AS failed
WHERE failed NOT IN (SELECT settle FROM version_v1_commits WHERE kind = {kind:String});

SYSTEM SYNC REPLICA ON CLUSTER `main` version_v1_commits;

SELECT max(number) AS commits, argMax(flush, number) AS last,
  groupUniqArrayArray(arrayIntersect(files, {files:Array(String)})) AS known
FROM (SELECT settle AS flush, min(c.number) AS number, any(c.segments) AS files
FROM `analytics`.version_v1_commits AS c WHERE kind = 'people' GROUP BY flush HAVING number > 0);

SELECT DISTINCT settle AS flush FROM people_v1_rows WHERE settle GLOBAL NOT IN (SELECT argMax(flush, number) FROM (SELECT settle AS flush, min(c.number) AS number, any(c.segments) AS files
FROM `analytics`.version_v1_commits AS c WHERE kind = 'people' GROUP BY flush HAVING number > 0));

ALTER TABLE people_v1_rows_shard ON CLUSTER `main` DROP PARTITION {flush:UInt64};

DROP TABLE IF EXISTS events_v1_incoming_7 ON CLUSTER `main` SETTINGS max_table_size_to_drop = 0;

DROP TABLE IF EXISTS events_v1_incoming_7_shard ON CLUSTER `main` SETTINGS max_table_size_to_drop = 0;

CREATE TABLE IF NOT EXISTS people_v1_incoming_42_shard ON CLUSTER `main` (distinct_id String, properties String CODEC(ZSTD(1))) ENGINE = ReplicatedMergeTree() ORDER BY distinct_id;

CREATE TABLE IF NOT EXISTS people_v1_incoming_42 ON CLUSTER `main` AS people_v1_incoming_42_shard ENGINE = Distributed(`main`, `analytics`, people_v1_incoming_42_shard, cityHash64(distinct_id));

CREATE TABLE IF NOT EXISTS people_v1_updates_42_shard ON CLUSTER `main` (position UInt64, line String CODEC(ZSTD(1)), distinct_id String DEFAULT onwhere_content(line, '$distinct_id')) ENGINE = ReplicatedMergeTree() ORDER BY (distinct_id, position);

CREATE TABLE IF NOT EXISTS people_v1_updates_42 ON CLUSTER `main` AS people_v1_updates_42_shard ENGINE = Distributed(`main`, `analytics`, people_v1_updates_42_shard, cityHash64(distinct_id));

INSERT INTO people_v1_updates_42 (position, line) SETTINGS async_insert = 0, insert_deduplicate = 0, distributed_foreground_insert = 1, parallel_distributed_insert_select = 0, input_format_json_read_objects_as_strings = 1 FORMAT JSONEachRow;

SELECT distinct_id, position, json FROM (
  SELECT distinct_id, 0 AS position, properties AS json FROM people_v1_rows
  WHERE settle = {last:UInt64} AND distinct_id GLOBAL IN (SELECT distinct_id FROM people_v1_updates_42)
  UNION ALL SELECT distinct_id, position, line FROM people_v1_updates_42
) ORDER BY distinct_id, position;

INSERT INTO people_v1_incoming_42 (distinct_id, properties) SETTINGS async_insert = 0, insert_deduplicate = 0, distributed_foreground_insert = 1, parallel_distributed_insert_select = 0, input_format_json_read_objects_as_strings = 1 FORMAT JSONEachRow;

SELECT (SELECT arrayMap(row -> row.2, arraySort(groupArray((number, name)))) FROM version_v1_promoted WHERE kind = 'people') AS names;

SELECT count() AS records FROM people_v1_incoming_42;

WITH JSONExtractKeysAndValuesRaw(properties) AS direct,
  arrayConcat(direct, arrayMap(json -> JSONExtractKeysAndValuesRaw(onwhere_readable(json)),
    if(empty(direct) AND NOT isValidJSON(if(empty(direct), properties, '{}')), [properties], []))[1]) AS pairs SELECT pair.1 AS name, transform(substring(pair.2, 1, 1), ['"', 't', 'f', 'n', '[', '{'], ['string', 'boolean', 'boolean', 'null', 'list', ''], 'number') AS type, count() AS values
FROM (SELECT arrayJoin(pairs) AS pair FROM (SELECT properties FROM people_v1_incoming_42 LIMIT 100000))
GROUP BY name, type HAVING type != '' ORDER BY values DESC, name LIMIT 1000 SETTINGS max_rows_to_group_by = 100000, group_by_overflow_mode = 'any';

INSERT INTO version_v1_promoted (kind, number, name) SETTINGS async_insert = 0, insert_deduplicate = 0, distributed_foreground_insert = 1, parallel_distributed_insert_select = 0, input_format_json_read_objects_as_strings = 1 FORMAT JSONEachRow;

SYSTEM SYNC REPLICA ON CLUSTER `main` version_v1_promoted;

WITH (SELECT arrayMap(row -> row.2, arraySort(groupArray((number, name)))) FROM version_v1_promoted WHERE kind = 'people') AS promoted, JSONExtractKeysAndValuesRaw(properties) AS direct,
  arrayConcat(direct, arrayMap(json -> JSONExtractKeysAndValuesRaw(onwhere_readable(json)),
    if(empty(direct) AND NOT isValidJSON(if(empty(direct), properties, '{}')), [properties], []))[1]) AS pairs
SELECT DISTINCT transform(pair.1, promoted, arrayEnumerate(promoted), 0) AS number, transform(substring(pair.2, 1, 1), ['"', 't', 'f', 'n', '[', '{'], ['string', 'boolean', 'boolean', 'null', 'list', ''], 'number') AS type
FROM (SELECT arrayJoin(pairs) AS pair FROM people_v1_incoming_42)
WHERE number != 0 AND type != '' ORDER BY number, type;

CREATE OR REPLACE VIEW people_v1_all_shard ON CLUSTER `main` AS SELECT settle, distinct_id, properties, p1_string, p2_number FROM `analytics`.people_v1_rows_shard;

CREATE OR REPLACE VIEW people_v1_shard ON CLUSTER `main` AS SELECT distinct_id, properties, p1_string, p2_number FROM `analytics`.people_v1_all_shard WHERE settle IN (SELECT argMax(flush, number) FROM (SELECT settle AS flush, min(c.number) AS number, any(c.segments) AS files
FROM `analytics`.version_v1_commits AS c WHERE kind = 'people' GROUP BY flush HAVING number > 0));

CREATE OR REPLACE TABLE people_v1 ON CLUSTER `main` (distinct_id String, properties String, p1_string Nullable(String), p2_number Nullable(Float64)) ENGINE = Distributed(`main`, `analytics`, people_v1_shard);

INSERT INTO people_v1_rows (settle, distinct_id, properties, p1_string, p2_number) SETTINGS async_insert = 0, insert_deduplicate = 0, distributed_foreground_insert = 1, parallel_distributed_insert_select = 0, input_format_json_read_objects_as_strings = 1 WITH (SELECT arrayMap(row -> row.2, arraySort(groupArray((number, name)))) FROM version_v1_promoted WHERE kind = 'people') AS promoted,
  JSONExtractKeysAndValuesRaw(properties) AS direct,
  arrayConcat(direct, arrayMap(json -> JSONExtractKeysAndValuesRaw(onwhere_readable(json)),
    if(empty(direct) AND NOT isValidJSON(if(empty(direct), properties, '{}')), [properties], []))[1]) AS pairs,
  pairs.1 AS names,
  pairs.2 AS values,
  values[indexOf(names, promoted[1])] AS json1,
  values[indexOf(names, promoted[2])] AS json2
SELECT {flush:UInt64}, distinct_id, properties, if(startsWith(json1, '"'), JSONExtractString(json1), NULL), onwhere_decimal(json2)
FROM people_v1_incoming_42;

INSERT INTO people_v1_rows (settle, distinct_id, properties, p1_string, p2_number) SETTINGS async_insert = 0, insert_deduplicate = 0, distributed_foreground_insert = 1, parallel_distributed_insert_select = 0, input_format_json_read_objects_as_strings = 1 SELECT {flush:UInt64}, distinct_id, properties, p1_string, p2_number FROM people_v1_rows WHERE settle = {last:UInt64} AND NOT (distinct_id GLOBAL IN (SELECT distinct_id FROM people_v1_updates_42));

SYSTEM SYNC REPLICA ON CLUSTER `main` people_v1_rows_shard;

INSERT INTO version_v1_commits (kind, number, settle, segments) SETTINGS async_insert = 0, insert_deduplicate = 0, distributed_foreground_insert = 1, parallel_distributed_insert_select = 0, input_format_json_read_objects_as_strings = 1
SELECT {kind:String}, {number:UInt32}, {flush:UInt64}, {files:Array(String)} WHERE (SELECT max(number) FROM (SELECT settle AS flush, min(c.number) AS number, any(c.segments) AS files
FROM `analytics`.version_v1_commits AS c WHERE kind = 'people' GROUP BY flush HAVING number > 0)) = {number:UInt32} - 1;

SYSTEM SYNC REPLICA ON CLUSTER `main` version_v1_commits;

SELECT flush FROM (SELECT settle AS flush, min(c.number) AS number, any(c.segments) AS files
FROM `analytics`.version_v1_commits AS c WHERE kind = 'people' GROUP BY flush HAVING number > 0) WHERE number = {number:UInt32};

DROP TABLE IF EXISTS people_v1_incoming_42 ON CLUSTER `main` SETTINGS max_table_size_to_drop = 0;

DROP TABLE IF EXISTS people_v1_incoming_42_shard ON CLUSTER `main` SETTINGS max_table_size_to_drop = 0;

DROP TABLE IF EXISTS people_v1_updates_42 ON CLUSTER `main` SETTINGS max_table_size_to_drop = 0;

DROP TABLE IF EXISTS people_v1_updates_42_shard ON CLUSTER `main` SETTINGS max_table_size_to_drop = 0;

-- A version is dropped

DROP TABLE IF EXISTS events_v1 ON CLUSTER `main`;

DROP VIEW IF EXISTS events_v1_shard ON CLUSTER `main`;

DROP VIEW IF EXISTS events_v1_all_shard ON CLUSTER `main`;

DROP TABLE IF EXISTS people_v1 ON CLUSTER `main`;

DROP VIEW IF EXISTS people_v1_shard ON CLUSTER `main`;

DROP VIEW IF EXISTS people_v1_all_shard ON CLUSTER `main`;

DROP TABLE IF EXISTS events_v1_rows ON CLUSTER `main` SETTINGS max_table_size_to_drop = 0;

DROP TABLE IF EXISTS events_v1_rows_shard ON CLUSTER `main` SETTINGS max_table_size_to_drop = 0;

DROP TABLE IF EXISTS people_v1_rows ON CLUSTER `main` SETTINGS max_table_size_to_drop = 0;

DROP TABLE IF EXISTS people_v1_rows_shard ON CLUSTER `main` SETTINGS max_table_size_to_drop = 0;

DROP TABLE IF EXISTS version_v1_promoted ON CLUSTER `main` SETTINGS max_table_size_to_drop = 0;

DROP TABLE IF EXISTS version_v1_commits ON CLUSTER `main` SETTINGS max_table_size_to_drop = 0;

DROP TABLE IF EXISTS events_v1_incoming_7 ON CLUSTER `main` SETTINGS max_table_size_to_drop = 0;

DROP TABLE IF EXISTS events_v1_incoming_7_shard ON CLUSTER `main` SETTINGS max_table_size_to_drop = 0;

DROP TABLE IF EXISTS events_v1_incoming_7 ON CLUSTER `main` SETTINGS max_table_size_to_drop = 0;

DROP TABLE IF EXISTS events_v1_incoming_7_shard ON CLUSTER `main` SETTINGS max_table_size_to_drop = 0;
