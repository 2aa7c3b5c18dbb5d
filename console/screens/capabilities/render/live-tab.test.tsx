import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { queryClient } from '../../../api/request/query-client.ts'
import { isShown, Refusal, serve, show } from '../../../testing/console.tsx'
import { RenderSpend } from './live-tab.tsx'

const READ_SPEND = 'GET /projects/prj_1/capabilities/render/spend'
const RENDER_PAGE = 'POST /projects/prj_1/capabilities/render/run'
const SPEND = { month: '2026-11', used: 3, monthly: 500 }
const runButton = () => screen.getByRole('button', { name: 'Render page' })
const disabledReason = () => runButton().getAttribute('aria-description')
const addressField = () => screen.getByLabelText<HTMLInputElement>('Page')
const responseOf = (text: string, type: string) => new Response(text, { headers: { 'content-type': type } })

async function renderPage(as: string, url: string) {
  show(<RenderSpend projectId="prj_1" />)
  await waitFor(() => assert.ok(isShown('3 of 500 pages rendered')))
  fireEvent.change(addressField(), { target: { value: url } })
  fireEvent.change(screen.getByLabelText('Format'), { target: { value: as } })
  fireEvent.click(runButton())
}

const barOf = (name: string) => screen.getByRole('meter', { name })

describe('the pages rendered in a month', () => {
  test('the render page shows the number of pages rendered in the current month', async () => {
    serve({ [READ_SPEND]: () => ({ month: '2026-11', used: 1200, monthly: 5000 }) })
    show(<RenderSpend projectId="prj_1" />)
    await waitFor(() => assert.ok(isShown('1,200 of 5,000 pages rendered')))
    assert.ok(isShown('3,800 left · until the end of November 2026 (UTC)'))
    const bar = barOf('1,200 of 5,000 pages rendered')
    assert.deepEqual(
      ['aria-valuenow', 'aria-valuemax'].map((name) => bar.getAttribute(name)),
      ['1200', '5000'],
    )
  })

  test('the render page says that the app can render no more pages when the monthly limit is used up', async () => {
    serve({ [READ_SPEND]: () => ({ month: '2026-11', used: 12, monthly: 10 }) })
    show(<RenderSpend projectId="prj_1" />)
    await waitFor(() => assert.ok(isShown('12 of 10 pages rendered')))
    assert.ok(isShown('Nothing is left: the app is refused until the end of November 2026 (UTC)'))
    assert.equal(barOf('12 of 10 pages rendered').getAttribute('aria-valuenow'), '10')
    const raise = screen.getByRole('link', { name: 'Raise the limit in the settings' })
    assert.match(raise.getAttribute('href') ?? '', /\/capabilities\/render$/)
  })

  test('the render page of an app that was never shipped asks the person to ship it', async () => {
    serve({
      [READ_SPEND]: () => new Refusal(404, 'not_enabled', 'Page rendering is on, but not deployed yet.'),
    })
    show(<RenderSpend projectId="prj_1" />)
    await waitFor(() => assert.ok(isShown('Ship once to see it')))
  })
})

describe('the test rendering of a page', () => {
  const { createObjectURL, revokeObjectURL } = URL
  const { click } = HTMLAnchorElement.prototype
  const made: Blob[] = []
  beforeEach(() => {
    made.length = 0
    const createObjectURL = (blob: Blob) => `blob:${made.push(blob)}`
    Object.assign(URL, { createObjectURL, revokeObjectURL() {} })
    // Do nothing on a click, because the test DOM would open the link instead of saving the file.
    HTMLAnchorElement.prototype.click = () => {}
  })
  afterEach(() => {
    Object.assign(URL, { createObjectURL, revokeObjectURL })
    HTMLAnchorElement.prototype.click = click
  })

  test('a screenshot rendered as a test is shown, and the number of rendered pages is refetched', async () => {
    let used = 3
    const calls = serve({
      [READ_SPEND]: () => ({ ...SPEND, used }),
      [RENDER_PAGE]: () => {
        used++
        return responseOf('PNG', 'image/png')
      },
    })
    await renderPage('screenshot', ' /about ')
    const picture = await screen.findByRole('img', { name: 'Picture of /about' })
    assert.match(picture.getAttribute('src') ?? '', /^blob:/)
    assert.deepEqual(calls[RENDER_PAGE]?.[0]?.body, { as: 'screenshot', url: '/about' })
    await waitFor(() => assert.ok(isShown('4 of 500 pages rendered')))
  })

  test('a PDF rendered as a test can be downloaded, and Markdown is shown as text', async () => {
    serve({
      [READ_SPEND]: () => SPEND,
      [RENDER_PAGE]: ({ body }) =>
        (body as { as: string }).as === 'pdf'
          ? responseOf('%PDF-1.4', 'application/pdf')
          : responseOf('# Fresh bread', 'text/markdown'),
    })
    await renderPage('pdf', '/')
    fireEvent.click(await screen.findByRole('button', { name: 'Download' }))
    assert.equal(await made[0]?.text(), '%PDF-1.4')
    fireEvent.change(screen.getByLabelText('Format'), { target: { value: 'markdown' } })
    fireEvent.click(runButton())
    await waitFor(() =>
      assert.equal(screen.getByRole('region', { name: 'Text of /' }).textContent, '# Fresh bread'),
    )
  })

  test('a page on a host that may not be rendered is reported at the address field until the address changes', async () => {
    const said = 'url: must be of this app or of an allowed host, which example.org is not'
    const calls = serve({
      [READ_SPEND]: () => SPEND,
      [RENDER_PAGE]: () => new Refusal(400, 'invalid_request', said),
    })
    await renderPage('pdf', 'https://example.org/')
    const sentence = 'Must be of this app or of an allowed host, which example.org is not.'
    await waitFor(() => assert.ok(isShown(sentence)))
    assert.equal(addressField().getAttribute('aria-invalid'), 'true')
    assert.equal(calls[RENDER_PAGE]?.length, 1)
    fireEvent.change(addressField(), { target: { value: '/' } })
    await waitFor(() => assert.equal(isShown(sentence), false))
  })

  test('a failed test rendering of a page shows the reason and is not repeated', async () => {
    const said = 'The page was not there within 15000 ms.'
    const calls = serve({
      [READ_SPEND]: () => SPEND,
      [RENDER_PAGE]: () => new Refusal(503, 'unavailable', said),
    })
    await renderPage('screenshot', '/slow')
    await waitFor(() => assert.ok(isShown('The page was not rendered')))
    assert.ok(isShown(said))
    assert.equal(addressField().value, '/slow')
    assert.equal(calls[RENDER_PAGE]?.length, 1)
  })

  test('the button that renders a test page is disabled without an address and when the monthly limit is used up', async () => {
    let used = 3
    serve({ [READ_SPEND]: () => ({ ...SPEND, used }) })
    const { unmount } = show(<RenderSpend projectId="prj_1" />)
    await waitFor(() => assert.equal(disabledReason(), null))
    fireEvent.change(addressField(), { target: { value: '  ' } })
    assert.equal(disabledReason(), 'Fill in “Page” first.')
    unmount()
    used = 500
    queryClient.clear()
    show(<RenderSpend projectId="prj_1" />)
    await waitFor(() => assert.equal(disabledReason(), 'The pages of this month are used up.'))
    assert.ok(isShown('Raise the limit in the settings'))
  })
})
