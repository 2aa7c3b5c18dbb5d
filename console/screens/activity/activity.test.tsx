import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { ActivityRecord } from '@slipway/sdk/client/types.gen.ts'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import {
  assertAlert,
  field,
  isShown,
  isThere,
  press,
  Refusal,
  type Responder,
  serve,
  showAt,
  write,
} from '../../testing/console.tsx'
import { Activity } from './activity.tsx'

const READ_LOG = 'GET /activity'
const EXPORT_LOG = 'GET /activity/export'
const okRecord: ActivityRecord = {
  id: 'act_1',
  when: '2026-01-02T00:00:00Z',
  provider: 'cloudflare',
  actor: 'Ada',
  action: 'worker.upload',
  target: 'plants-live',
  status: 'ok',
  project: 'Plants',
  projectId: 'prj_1',
  detail: null,
}
const failedRecord: ActivityRecord = {
  ...okRecord,
  id: 'act_2',
  status: 'failed',
  detail: 'The token may not do that.',
}
const activityPage = (items: ActivityRecord[], nextCursor: string | null = null) => ({ items, nextCursor })

async function renderActivity(answers: Record<string, Responder> = {}, search = '') {
  const calls = serve({
    [READ_LOG]: () => activityPage([okRecord, failedRecord]),
    'GET /projects': () => ({ items: [{ id: 'prj_1', name: 'Plants' }], nextCursor: null }),
    ...answers,
  })
  const { place } = await showAt('/app/activity', Activity, `/activity${search}`)
  return { calls, place, asked: () => calls[READ_LOG]?.map(({ query }) => query) }
}

describe('the activity log', () => {
  test('an entry of the activity log shows the action, its target, the actor, the project and the result', async () => {
    await renderActivity()
    const [first, second] = await screen.findAllByRole('listitem')
    assert.match(first?.textContent ?? '', /Done.*worker\.upload.*plants-live.*Cloudflare.*by Ada.*Plants/)
    assert.match(second?.textContent ?? '', /Failed.*The token may not do that/)
  })

  test('no part of an entry of the activity log begins with a separator, which would begin a wrapped line on a phone', async () => {
    await renderActivity()
    const [first] = await screen.findAllByRole('listitem')
    const facts = [...(first?.querySelectorAll('p:last-of-type > *') ?? [])].map((part) => part.textContent)
    assert.deepEqual([facts[0], facts[1], facts[3]], ['Cloudflare ·', 'by Ada ·', 'Plants'])
    assert.match(facts[2] ?? '', /\w ·$/)
  })

  test('pressing the project of an entry filters the activity log and stores the filter in the URL', async () => {
    const { place, asked } = await renderActivity()
    const [first] = await screen.findAllByRole('listitem')
    fireEvent.click(within(first as HTMLElement).getByRole('button', { name: 'Plants' }))
    await waitFor(() => assert.match(place(), /project=prj_1/))
    await waitFor(() => assert.deepEqual(asked()?.at(-1), { projectId: 'prj_1' }))
    await waitFor(() => assert.equal(field('Project').value, 'prj_1'))
  })

  test('a day in the activity filter covers the whole day in the local time zone', async () => {
    const { place, asked } = await renderActivity({}, '?from=2026-01-02')
    await screen.findAllByRole('listitem')
    write('Until', '2026-01-02')
    await waitFor(() => assert.match(place(), /from=2026-01-02.*to=2026-01-02/))
    const from = new Date(2026, 0, 2).getTime()
    const to = new Date(2026, 0, 3).getTime() - 1
    await waitFor(() => assert.deepEqual(asked()?.at(-1), { from: String(from), to: String(to) }))
  })

  test('a day can be typed into the activity filter, although its year is below 1970 until its last digit is typed', async () => {
    const { place } = await renderActivity()
    await screen.findAllByRole('listitem')
    for (const year of ['0002', '0020', '0202']) {
      write('From', `${year}-01-31`)
      assert.equal(field('From').value, `${year}-01-31`)
    }
    write('From', '2026-01-31')
    await waitFor(() => assert.match(place(), /from=2026-01-31/))
    write('From', '0002-01-31')
    fireEvent.blur(field('From'))
    assert.equal(field('From').value, '2026-01-31')
  })

  test('the activity log of an organization with several pages of projects can be filtered by each of them', async () => {
    const { place } = await renderActivity(
      {
        'GET /projects': ({ query }) =>
          query['q'] === 'shop'
            ? { items: [{ id: 'prj_99', name: 'Shop' }], nextCursor: null }
            : { items: [{ id: 'prj_1', name: 'Plants' }], nextCursor: 'c2' },
        'GET /projects/prj_99': () => ({ id: 'prj_99', name: 'Shop' }),
      },
      '?project=prj_99',
    )
    assert.ok(await screen.findByRole('option', { name: 'Shop' }))
    write('Project', '')
    await waitFor(() => assert.equal(place(), '/activity'))
    write('Search projects', 'shop')
    await screen.findByRole('option', { name: 'Shop' })
    write('Project', 'prj_99')
    await waitFor(() => assert.match(place(), /project=prj_99/))
  })

  test('an activity log that is filtered by a deleted project shows the id of that project as the chosen filter', async () => {
    await renderActivity({}, '?project=prj_gone')
    assert.ok(await screen.findByRole('option', { name: 'prj_gone' }))
    assert.equal(field('Project').value, 'prj_gone')
  })

  test('an activity log without matching entries offers to clear the filters, and an empty log links to the projects', async () => {
    const { place } = await renderActivity({ [READ_LOG]: () => activityPage([]) }, '?project=prj_1')
    await screen.findByText('No change matches these filters')
    fireEvent.click(screen.getAllByRole('button', { name: 'Clear filters' })[0] as HTMLElement)
    await screen.findByText('Nothing has happened yet')
    assert.equal(place(), '/activity')
    assert.ok(isThere('link', 'Go to your projects'))
  })

  test('an activity log that failed to load shows the request id and can be retried', async () => {
    const answers: unknown[] = [new Refusal(403, 'forbidden', 'You may not.')]
    await renderActivity({ [READ_LOG]: () => answers.shift() ?? activityPage([okRecord]) })
    await assertAlert(/You may not.*req_test/)
    press('Try again')
    assert.equal((await screen.findAllByRole('listitem')).length, 1)
  })

  test('a failed next page keeps the loaded activity log on screen and can be retried', async () => {
    const answers: unknown[] = [
      activityPage([okRecord], 'more'),
      new Refusal(403, 'forbidden', 'You may not.'),
    ]
    const { asked } = await renderActivity({
      [READ_LOG]: () => answers.shift() ?? activityPage([failedRecord]),
    })
    await screen.findByText('plants-live')
    press('Show more')
    await assertAlert(/You may not/)
    assert.ok(isShown('plants-live'))
    press('Try again')
    await screen.findByText('The token may not do that.')
    assert.deepEqual(asked()?.at(-1), { cursor: 'more' })
  })

  test('pressing the CSV export of the activity log twice sends one request with the filters, and a refusal is shown', async () => {
    const { promise, resolve } = Promise.withResolvers<unknown>()
    const { calls } = await renderActivity({ [EXPORT_LOG]: () => promise }, '?project=prj_1')
    await screen.findAllByRole('listitem')
    press('Export CSV')
    const exporting = await screen.findByRole('button', { name: /Exporting/ })
    fireEvent.click(exporting)
    resolve(new Refusal(403, 'forbidden', 'Only admins export.'))
    await assertAlert(/The export was refused.*Only admins export.*req_test/)
    assert.deepEqual(
      calls[EXPORT_LOG]?.map(({ query }) => query),
      [{ projectId: 'prj_1' }],
    )
  })
})
