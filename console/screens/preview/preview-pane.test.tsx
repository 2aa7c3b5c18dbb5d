import assert from 'node:assert/strict'
import { beforeEach, describe, mock, test, afterEach } from 'node:test'
import type { Project } from '@slipway/sdk/client/types.gen.ts'
import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { queryClient } from '../../api/request/query-client.ts'
import { deploymentQuery } from '../../api/project/deployments.ts'
import { field, isShown, isThere, press, serve, show, write } from '../../testing/console.tsx'
import { PreviewPane } from './preview-pane.tsx'

const PREVIEW_URL = 'https://plants-preview.test/'
const projectAt = (previewUrl: string | null) =>
  ({ id: 'prj_1', name: 'Plants', previewUrl, lifecycle: 'active' }) as unknown as Project

async function openPreview(previewUrl: string | null = PREVIEW_URL) {
  let builtSha = 'a'.repeat(40)
  serve({
    'GET /projects/prj_1/deploy': () => ({
      state: 'none',
      url: null,
      builtSha,
      sha: null,
      upToDate: false,
      move: null,
    }),
  })
  show(<PreviewPane project={projectAt(previewUrl)} ticket={null} />)
  await waitFor(() => assert.notEqual(queryClient.getQueryData(deploymentQuery('prj_1').queryKey), undefined))
  return {
    built: async (sha: string) => {
      builtSha = sha
      await act(() => queryClient.invalidateQueries({ queryKey: deploymentQuery('prj_1').queryKey }))
    },
  }
}

const frame = () => screen.getByTitle<HTMLIFrameElement>('Preview of the app')
/** Sends a message as the app in the frame does. */
const report = (
  data: object,
  { origin = new URL(PREVIEW_URL).origin, source = frame().contentWindow } = {},
) =>
  act(() => {
    dispatchEvent(
      Object.assign(new MessageEvent('message', { data: { source: 'slipway-preview', ...data }, origin }), {
        source,
      }),
    )
  })
const path = () => field('Page of the app').value
const go = (to: string) => {
  write('Page of the app', to)
  fireEvent.submit(field('Page of the app'))
}

describe('the preview of an app', () => {
  beforeEach(() => {
    mock.getter(HTMLIFrameElement.prototype, 'contentWindow', () => window)
    // happy-dom does not load the page of an iframe, and logs an error for each such page.
    mock.method(console, 'error', () => {})
  })
  afterEach(() => mock.restoreAll())

  test("the frame of the preview shows the app's address, isolated from the console", async () => {
    await openPreview()
    assert.equal(frame().src, PREVIEW_URL)
    assert.equal(frame().getAttribute('referrerpolicy'), 'no-referrer')
    assert.ok(!frame().sandbox.contains('allow-top-navigation'))
  })

  test('a path typed above the preview opens that page in the frame, and a typed URL of another site stays in the app', async () => {
    await openPreview()
    go('/about?x=1')
    assert.equal(frame().src, `${PREVIEW_URL}about?x=1`)
    go('https://evil.test/')
    assert.equal(new URL(frame().src).host, 'plants-preview.test')
  })

  test('the path bar of the preview shows the page that the app reports, and a reload opens that page again', async () => {
    await openPreview()
    report({ kind: 'ready', path: '/plants' })
    assert.equal(path(), '/plants')
    press('Reload the preview')
    assert.equal(frame().src, `${PREVIEW_URL}plants`)
  })

  test('when the app reports no page, the path bar of the preview shows the typed page, and a reload stays there', async () => {
    await openPreview()
    report({ kind: 'ready', path: '/plants' })
    go('/broken')
    assert.equal(path(), '/broken')
    press('Reload the preview')
    assert.equal(frame().src, `${PREVIEW_URL}broken`)
  })

  test('a path that is being typed above the preview is discarded by Escape and when the field loses the focus', async () => {
    await openPreview()
    report({ kind: 'ready', path: '/plants' })
    write('Page of the app', '/half')
    fireEvent.keyDown(field('Page of the app'), { key: 'Escape' })
    assert.equal(path(), '/plants')
    write('Page of the app', '/half')
    fireEvent.blur(field('Page of the app'))
    assert.equal(path(), '/plants')
  })

  test('a path that is being typed above the preview is not replaced when the app reports another page', async () => {
    await openPreview()
    write('Page of the app', '/half')
    report({ kind: 'navigate', path: '/elsewhere' })
    assert.equal(path(), '/half')
  })

  test('a message from another window or another site does not change the preview', async () => {
    await openPreview()
    report({ kind: 'navigate', path: '/forged' }, { origin: 'https://evil.test' })
    report({ kind: 'navigate', path: '/forged' }, { source: null })
    assert.equal(path(), '/')
  })

  test('a new build reloads the preview at the open page, and removes the errors of the previous build', async () => {
    const { built } = await openPreview()
    report({ kind: 'ready', path: '/plants' })
    report({ kind: 'error', message: 'Boom' })
    const before = frame()
    await built('b'.repeat(40))
    await waitFor(() => assert.ok(frame() !== before))
    assert.equal(frame().src, `${PREVIEW_URL}plants`)
    assert.ok(!isShown('Boom'))
  })

  test('the preview is not reloaded when the same build is read again', async () => {
    const { built } = await openPreview()
    const before = frame()
    await built('a'.repeat(40))
    assert.ok(frame() === before)
  })

  test('once the app reports that the browser blocks its storage, the preview explains this', async () => {
    await openPreview()
    assert.ok(!isThere('button', 'About this frame'))
    report({ kind: 'storage' })
    assert.ok(isThere('button', 'About this frame'))
    press('Reload the preview')
    assert.ok(isThere('button', 'About this frame'))
  })

  test('a project without a preview says that nothing was built yet', async () => {
    await openPreview(null)
    assert.ok(isShown('Nothing built yet'))
    assert.ok(screen.queryByTitle('Preview of the app') === null)
  })
})
