import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { act, screen, waitFor } from '@testing-library/react'
import {
  assertAlert,
  button,
  isShown,
  isThere,
  press,
  Refusal,
  serve,
  show,
  untilSent,
} from '../../../testing/console.tsx'
import { ExportOrganization } from './export-organization.tsx'

const EXPORT = 'GET /account/export'
const ORGANIZATION = { id: 'org_1', name: 'Ada’s', slug: 'adas' }
const lineOf = (kind: string, part: object = {}) => `${JSON.stringify({ kind, ...part })}\n`

/** Returns a response. The test sends its body piece by piece. */
function openDownload() {
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined
  const body = new ReadableStream<Uint8Array>({ start: (made) => void (controller = made) })
  return {
    response: new Response(body, { headers: { 'content-type': 'application/x-ndjson' } }),
    send: (...lines: string[]) =>
      act(async () => controller?.enqueue(new TextEncoder().encode(lines.join('')))),
    end: () => act(async () => controller?.close()),
    fail: () => act(async () => controller?.error(new TypeError('The network was lost.'))),
  }
}

function renderExport(t: TestContext, answer: () => unknown, isAllowed = true) {
  const saved: string[] = []
  t.mock.method(HTMLAnchorElement.prototype, 'click', function (this: HTMLAnchorElement) {
    saved.push(this.download)
  })
  t.mock.timers.enable({ apis: ['Date'], now: Date.parse('2026-11-20T10:00:00Z') })
  const calls = serve({ [EXPORT]: answer })
  const { unmount } = show(<ExportOrganization organization={ORGANIZATION} isAllowed={isAllowed} />)
  return { calls, saved, unmount }
}
const COMPLETE = [
  lineOf('export'),
  lineOf('project'),
  lineOf('ticket'),
  lineOf('ticket'),
  lineOf('end', { counts: { project: 1, ticket: 2 } }),
]

describe('the export of an organization', () => {
  test('a complete export of an organization shows its progress, is saved under a dated name, and lists what it contains', async (t) => {
    const download = openDownload()
    const { saved } = renderExport(t, () => download.response)
    press('Export everything')
    await download.send(...COMPLETE.slice(0, 2))
    await waitFor(() => assert.ok(isShown(/2 lines/)))
    assert.deepEqual(saved, [])
    await download.send(...COMPLETE.slice(2))
    await download.end()
    await waitFor(() => assert.deepEqual(saved, ['adas-2026-11-20.ndjson']))
    assert.deepEqual(
      screen.getAllByRole('term').map((term) => [term.textContent, term.nextElementSibling?.textContent]),
      [
        ['Projects', '1'],
        ['Tickets', '2'],
      ],
    )
  })

  test('an export of an organization without projects says that it contains none', async (t) => {
    const download = openDownload()
    renderExport(t, () => download.response)
    press('Export everything')
    await download.send(lineOf('export'), lineOf('end', { counts: { project: 0 } }))
    await download.end()
    await waitFor(() => assert.ok(isShown('There are no projects in it yet.')))
    assert.ok(button('Export again'))
  })

  for (const [how, lines, ends] of [
    ['ends without its last line', COMPLETE.slice(0, -1), 'end'],
    ['ends within its last line', [...COMPLETE.slice(0, -1), '{"kind":"end","counts":{}}'], 'end'],
    ['has fewer lines than its last line says', COMPLETE.filter((_, n) => n !== 2), 'end'],
    ['loses the connection after its first lines', COMPLETE.slice(0, 2), 'fail'],
  ] as const)
    test(`an export of an organization that ${how} is not saved, and can be started again`, async (t) => {
      const download = openDownload()
      const { saved } = renderExport(t, () => download.response)
      press('Export everything')
      await download.send(...lines)
      await download[ends]()
      await assertAlert(/This file is incomplete/)
      assert.deepEqual(saved, [])
      assert.ok(button('Export everything'))
    })

  test('a refused export of an organization shows the reason, and a retry saves the file', async (t) => {
    const answers = [
      () => new Refusal(403, 'forbidden', 'Only admins export.'),
      () => new Response(COMPLETE.join(''), { headers: { 'content-type': 'application/x-ndjson' } }),
    ]
    const { saved } = renderExport(t, () => answers.shift()?.())
    press('Export everything')
    await assertAlert(/Nothing was saved.*Only admins export/)
    assert.deepEqual(saved, [])
    press('Try again')
    await waitFor(() => assert.deepEqual(saved, ['adas-2026-11-20.ndjson']))
    assert.equal(isThere('alert'), false)
  })

  test('a member cannot start an export of the organization, and the button says why', async (t) => {
    const { calls } = renderExport(t, () => assert.fail('nothing is sent'), false)
    assert.equal(
      button('Export everything').getAttribute('aria-description'),
      'Owners and admins can export it.',
    )
    press('Export everything')
    await untilSent()
    assert.deepEqual(calls[EXPORT], [])
  })
})
