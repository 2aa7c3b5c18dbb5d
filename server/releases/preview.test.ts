import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type TestApp, testApp } from '../testing/app.ts'
import { publishPreview } from './preview.ts'
import { leaves } from '../testing/effects.ts'

let app: TestApp

describe('the preview of an app', () => {
  before(async () => {
    app = await testApp()
  })
  after(() => app.close())

  test('publishing a preview without a connected cloud account returns the reason for the failure and stores no deployment', async () => {
    leaves({ events: { 'project.created': 1 } })
    const person = await app.signUp()
    const { data } = await person.call<{ id: string }>('POST /projects', { name: 'Plants' })
    const published = await publishPreview(
      app.platform,
      { orgId: person.organizationId, projectId: data.id },
      {
        actor: 'scaffold',
        isAutomatic: true,
        timeoutMs: 1_000,
        disconnected: new AbortController().signal,
      },
    )
    assert.match('error' in published ? published.error : '', /^No cloud account is connected/)
    const rows = await app.platform.db
      .selectFrom('deployments')
      .select('id')
      .where('org_id', '=', person.organizationId)
      .execute()
    assert.deepEqual(rows, [])
  })
})
