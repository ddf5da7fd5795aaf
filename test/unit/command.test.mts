import { containerN8n } from '../../host/command.mts';

test('a container runs the image with the user folder, the settings and the network of the host', () => {
	const env = { N8N_PORT: '5678', N8N_USER_FOLDER: '/tmp/user', PATH: '/usr/bin', HOME: '/root' };
	const { program, args } = containerN8n('n8n:3', '/tmp/user', env);
	expect(program).toBe('docker');
	expect(args[0]).toBe('run');
	expect(args.at(-1)).toBe('n8n:3');
	const text = args.join(' ');
	expect(text).toContain('--network host');
	expect(text).toContain('--volume /tmp/user/.n8n:/home/node/.n8n');
	expect(text).toContain('--env N8N_PORT=5678 --env N8N_USER_FOLDER=/home/node');
	expect(text).not.toMatch(/PATH=|HOME=/);
});
