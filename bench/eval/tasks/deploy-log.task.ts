import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import type { Page } from 'playwright-core'
import { listPage, scriptApp } from '../answers.ts'
import { askApp, expectText, expectNoText } from '../steps.ts'
import type { Task } from '../task.ts'

const SENDER_SECRET = 'a secret shared with the sender'
const HOOK_JOB = `import { data, type HookEvent } from '@slipway/app/server'

export default async ({ body, deliveryId }: HookEvent) => {
  const { service } = body as { service: string }
  await data.system.upsert('deploys', 'delivery', { service, delivery: deliveryId })
}
`

/** Sends a message to the app, signed as GitHub signs it. Returns the status of the response. */
function sendSigned(page: Page, service: string, secret: string): Promise<number> {
  const body = JSON.stringify({ service })
  const signature = createHmac('sha256', secret).update(body).digest('hex')
  return askApp(page, '/_app/hook/deploys', {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-hub-signature-256': `sha256=${signature}`,
      'x-github-delivery': `delivery-${service}`,
      'x-github-event': 'deployment',
    },
    body,
  })
}

export const task: Task = {
  name: 'deploy-log',
  about: 'signed messages of another service become records',
  requires: ['free-form'],
  setup: [
    { key: 'hook', settings: { endpoints: { deploys: {} } }, secrets: { deploysSecret: SENDER_SECRET } },
  ],
  tickets: [
    {
      title: 'Log deployments that GitHub reports',
      body: 'GitHub sends signed messages (scheme github) to the endpoint "deploys". The body is { "service": "api" }. The first page lists the names of the services, for everyone. A message that is not signed by GitHub changes nothing.',
      script: scriptApp({
        name: 'Deployments',
        uses: ['data', 'hook'],
        pages: [
          {
            ...listPage('Deployments', ''),
            source: `import { Page, RecordList } from '@slipway/app/react'

export default () => (
  <Page title="Deployments">
    <RecordList collection="deploys" columns={['service']} />
  </Page>
)
`,
          },
        ],
        collections: {
          deploys: {
            partition: 'app',
            read: 'public',
            write: 'nobody',
            fields: { service: { type: 'text' }, delivery: { type: 'text', unique: true } },
          },
          messages: {
            partition: 'app',
            read: 'staff',
            write: 'nobody',
            fields: { deliveryId: { type: 'text' }, body: { type: 'json' } },
          },
        },
        manifest: {
          hooks: [{ name: 'deploys', scheme: 'github', collection: 'messages', handler: 'on-deploy' }],
        },
        files: { 'server/jobs/on-deploy.ts': HOOK_JOB },
      }),
      checks: [
        {
          name: 'a signed message is listed',
          run: async (page) => {
            const status = await sendSigned(page, 'billing', SENDER_SECRET)
            assert.equal(status, 202, `the app answered ${status}`)
            await expectText(page, 'billing')
          },
        },
        {
          name: 'a message with a wrong signature changes nothing',
          run: async (page) => {
            assert.equal(await sendSigned(page, 'forged', 'a guess'), 401)
            await expectNoText(page, 'forged')
          },
        },
      ],
    },
  ],
}
