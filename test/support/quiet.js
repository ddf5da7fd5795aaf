// n8n logs what its nodes log; the tests assert on what matters of it.
process.env.N8N_LOG_LEVEL = 'silent';
