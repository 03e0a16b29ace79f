-- What a consumer holds. ARGV: consumer, lease in ms.
redis.call('SET', KEYS[1] .. ':alive:' .. ARGV[1], '1', 'PX', tonumber(ARGV[2]))
redis.call('SADD', KEYS[1] .. ':consumers', ARGV[1])
return redis.call('LRANGE', KEYS[1] .. ':held:' .. ARGV[1], 0, -1)
