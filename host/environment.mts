import { delimiter, dirname } from 'node:path';

/**
 * Returns the environment of n8n. It inherits only what any program needs, so that no N8N_, DB_ or NODE_ENV variable
 * of a developer's shell or of jest changes a test. Requests to n8n's own servers are off.
 */
export function environment(options: {
	userFolder: string;
	port: number;
	brokerPort: number;
	env?: Record<string, string>;
}): Record<string, string> {
	const url = `http://127.0.0.1:${options.port}`;
	return {
		...inherited(),
		PATH: [dirname(process.execPath), process.env.PATH ?? ''].join(delimiter),
		N8N_USER_FOLDER: options.userFolder,
		N8N_LISTEN_ADDRESS: '127.0.0.1',
		N8N_HOST: '127.0.0.1',
		N8N_PORT: String(options.port),
		N8N_EDITOR_BASE_URL: url,
		N8N_WEBHOOK_URL: url,
		N8N_RUNNERS_BROKER_PORT: String(options.brokerPort),
		DB_TYPE: 'sqlite',
		N8N_SECURE_COOKIE: 'false',
		N8N_LOG_LEVEL: 'info',
		N8N_COMMUNITY_PACKAGES_ENABLED: 'true',
		N8N_UNVERIFIED_PACKAGES_ENABLED: 'true',
		N8N_VERIFIED_PACKAGES_ENABLED: 'false',
		N8N_DIAGNOSTICS_ENABLED: 'false',
		N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
		N8N_VERSION_NOTIFICATIONS_WHATS_NEW_ENABLED: 'false',
		N8N_TEMPLATES_ENABLED: 'false',
		N8N_HIRING_BANNER_ENABLED: 'false',
		N8N_DYNAMIC_BANNERS_ENABLED: 'false',
		N8N_PERSONALIZATION_ENABLED: 'false',
		N8N_LICENSE_AUTO_RENEW_ENABLED: 'false',
		N8N_AI_ENABLED: 'false',
		N8N_PYTHON_ENABLED: 'false',
		N8N_DISABLED_MODULES: 'mcp-registry,instance-ai,chat-hub,quick-connect',
		...options.env,
	};
}

function inherited(): Record<string, string> {
	const names = ['HOME', 'LANG', 'LC_ALL', 'TZ', 'TMPDIR', 'SHELL', 'USER'];
	return Object.fromEntries(
		names.map((name) => [name, process.env[name] ?? '']).filter(([, v]) => v),
	);
}
