import { until } from '../../host/until.mts';
import { EXAMPLES, emptyFields, fillIn, readExample } from '../support/examples.mts';
import { host, type WorkflowInput } from '../support/n8n.mts';
import { nodes, openWorkflow, page } from './editor';

/** Returns an example as a user has it who has chosen the credentials and nothing else. */
function withCredentials(name: string): WorkflowInput {
	const workflow = readExample(name);
	const { nodes } = fillIn(workflow, host.credentials);
	return {
		...workflow,
		nodes: workflow.nodes.map((node, i) => ({ ...node, credentials: nodes[i]?.credentials })),
	};
}

/** Opens each example in the editor. */
export function exampleTests(): void {
	test.each(EXAMPLES)(
		'%s: the editor knows every node, marks each empty field red, and then publishes nothing',
		async (name) => {
			const workflow = withCredentials(name);
			await openWorkflow(workflow);
			const drawn = workflow.nodes.filter(({ type }) => !type.endsWith('stickyNote'));
			await until(
				async () => await nodes().count(),
				(count) => count === drawn.length,
			);
			expect(await page.locator('text=/unknown node|install this node/i').count()).toBe(0);
			const incomplete = drawn
				.filter(({ name }) => !(name in (workflow.pinData ?? {})))
				.filter(({ parameters = {} }) => emptyFields(parameters).length > 0)
				.map((node) => node.name);
			const marked = nodes().filter({ has: page.getByTestId('node-issues') });
			const names = async () =>
				await marked.evaluateAll((all) => all.map((one) => one.getAttribute('data-node-name')));
			await until(names, (found) => incomplete.every((one) => found.includes(one)));
			if (incomplete.length === 0) return;
			const publish = page.getByTestId('workflow-open-publish-modal-button');
			await until(async () => await publish.isDisabled(), Boolean);
		},
	);
}
