import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { screen, waitFor } from '@testing-library/react'
import {
  assertAlert,
  isShown,
  isThere,
  press,
  Refusal,
  serve,
  showAt,
  untilSent,
} from '../../../testing/console.tsx'
import { FileObjects } from './live-tab.tsx'

const FILES = 'GET /projects/prj_1/capabilities/files/objects'
const FILE = 'GET /projects/prj_1/capabilities/files/object'
const USERS = 'GET /projects/prj_1/capabilities/auth/users'
const PAGE = '/projects/prj_1/capabilities/files?tab=live'
const ADA = `u_${'a'.repeat(26)}`
const NOT_NOW = new Refusal(400, 'invalid_request', 'Not now.')

const fileOf = (key: string, part: object = {}) => ({
  key: `f/${key}`,
  name: `${key}.png`,
  size: 2048,
  contentType: 'image/png',
  ownerId: null as string | null,
  uploadedAt: '2026-01-01T00:00:00Z',
  ...part,
})

/** Shows the files. `pages` has the response for each cursor; the key of the first page is empty. */
async function renderFiles(
  pages: Record<string, () => unknown>,
  { address = PAGE, file = (): unknown => new Response('bytes'), users = (): unknown => [] } = {},
) {
  const calls = serve({
    [FILES]: ({ query }) => (pages[query['cursor'] ?? ''] ?? (() => NOT_NOW))(),
    [FILE]: file,
    [USERS]: users,
  })
  const { place } = await showAt(
    '/app/projects/$projectId/capabilities/$key',
    () => <FileObjects projectId="prj_1" />,
    address,
  )
  return { calls, place }
}
const pageOf = (items: object[], nextCursor: string | null = null) => ({ items, nextCursor })
const owners = () => screen.getAllByText(/^Of /).map((line) => line.textContent?.split(' · ')[0])

describe('the files of the live app', () => {
  test('each file shows its owner, and the list of people is requested once to show their names', async () => {
    const { calls } = await renderFiles(
      {
        '': () =>
          pageOf([
            fileOf('a', { ownerId: ADA }),
            fileOf('b', { ownerId: `u_${'b'.repeat(26)}` }),
            fileOf('c', { ownerId: 'visitors' }),
            fileOf('d'),
            fileOf('e', { ownerId: 'team_1' }),
          ]),
      },
      { users: () => [{ id: ADA, name: 'Ada' }] },
    )
    await waitFor(() =>
      assert.deepEqual(owners(), ['Of Ada', 'Of a person', 'Of visitors', 'Of the app', 'Of team_1']),
    )
    assert.equal(calls[USERS]?.length, 1)
  })

  test('the list of people is not requested when no file belongs to a person', async () => {
    const { calls } = await renderFiles({
      '': () => pageOf([fileOf('a'), fileOf('b', { ownerId: 'u_short' })]),
    })
    await screen.findByText('a.png')
    await untilSent()
    assert.deepEqual(calls[USERS], [])
  })

  test("when the next page of an app's files cannot be loaded, the shown files stay, and the page can be requested again", async () => {
    let isAway = true
    await renderFiles({
      '': () => pageOf([fileOf('a')], 'c1'),
      c1: () => (isAway ? NOT_NOW : pageOf([fileOf('b')])),
    })
    await screen.findByText('a.png')
    press('Show more')
    await assertAlert(/Not now/)
    assert.equal(isShown('a.png'), true)
    isAway = false
    press('Try again')
    await screen.findByText('b.png')
    assert.equal(isThere('alert'), false)
  })

  test('when the files of an app cannot be listed, the reason is shown, and a retry shows the files', async () => {
    let isAway = true
    await renderFiles({ '': () => (isAway ? NOT_NOW : pageOf([fileOf('a')])) })
    await screen.findByText('Not now.')
    isAway = false
    press('Try again')
    await screen.findByText('a.png')
  })

  test('an app without files says that there are none', async () => {
    await renderFiles({ '': () => pageOf([]) })
    await screen.findByText('No files yet')
  })

  test('an opened file of an app is shown in a dialog and named in the URL, and closing the dialog removes it from the URL', async () => {
    const { place } = await renderFiles({ '': () => pageOf([fileOf('a')]) })
    await screen.findByText('a.png')
    press('Show a.png')
    await screen.findByRole('dialog')
    assert.equal(place(), '/projects/prj_1/capabilities/files?tab=live&key=f%2Fa')
    press('Close')
    await waitFor(() => assert.equal(isThere('dialog'), false))
    assert.equal(place(), PAGE)
  })

  test('a file that the URL names but the list lacks is reported as missing', async () => {
    await renderFiles({ '': () => pageOf([fileOf('a')]) }, { address: `${PAGE}&key=f%2Fgone` })
    await screen.findByText('This file is not among those shown.')
    assert.equal(isThere('dialog'), false)
  })
})
