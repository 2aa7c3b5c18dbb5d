import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, mock, test } from 'node:test'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import {
  assertAlert,
  button,
  field,
  isShown,
  isThere,
  press,
  Refusal,
  sent,
  serve,
  show,
  untilSent,
  write,
} from '../../../testing/console.tsx'
import { RenderTryOut } from './render-try-out.tsx'

const RENDER_PAGE = 'POST /projects/prj_1/capabilities/render/run'
const responseOf = (text: string, type: string) => new Response(text, { headers: { 'content-type': type } })
const markdown = (text: string) => responseOf(text, 'text/markdown')
const picture = (text = 'PNG') => responseOf(text, 'image/png')

/** `answers` are the responses to the requests, in their order. */
function showTryOut(...answers: unknown[]) {
  const calls = serve({ [RENDER_PAGE]: () => answers.shift() })
  const { rerender } = show(<RenderTryOut projectId="prj_1" isUsedUp={false} />)
  return {
    requests: () => sent(calls, RENDER_PAGE),
    useUp: () => rerender(<RenderTryOut projectId="prj_1" isUsedUp />),
  }
}
const submit = () => fireEvent.submit(field('Page').form as HTMLFormElement)

describe('trying out the rendering of a page', () => {
  const shown: string[] = []
  const released: string[] = []
  const saved: string[] = []
  beforeEach(() => {
    shown.length = released.length = saved.length = 0
    mock.method(URL, 'createObjectURL', () => `blob:${shown.push('made')}`)
    mock.method(URL, 'revokeObjectURL', (url: string) => void released.push(url))
    // The test DOM would open the link instead of saving the file.
    mock.method(HTMLAnchorElement.prototype, 'click', function (this: HTMLAnchorElement) {
      saved.push(this.download)
    })
  })
  afterEach(() => mock.restoreAll())

  test('while the render page renders a test page, it says so, and a second press sends nothing', async () => {
    const response = Promise.withResolvers<unknown>()
    const { requests } = showTryOut(response.promise)
    press('Render page')
    await screen.findByText('Rendering the page. This may take a minute.')
    submit()
    press(/Render page/)
    await untilSent()
    assert.equal(requests()?.length, 1)
    response.resolve(picture())
    assert.ok(await screen.findByRole('img', { name: 'Picture of /' }))
    assert.ok(!isShown(/This may take a minute/))
  })

  test('a rendered test page is shown with the address that was rendered, even when another one is typed meanwhile', async () => {
    const response = Promise.withResolvers<unknown>()
    const { requests } = showTryOut(response.promise)
    write('Page', '/first')
    press('Render page')
    await waitFor(() => assert.equal(requests()?.length, 1))
    write('Page', '/second')
    write('Format', 'markdown')
    response.resolve(picture('12345'))
    assert.ok(await screen.findByRole('img', { name: 'Picture of /first' }))
    assert.ok(isShown('/first · 5 B'))
    assert.equal(field('Page').value, '/second')
    press('Download')
    assert.deepEqual(saved, ['page.png'])
  })

  test('each format of a rendered test page is saved under a file name of its type', async () => {
    showTryOut(markdown('# Bread'), responseOf('%PDF-1.4', 'application/pdf'))
    write('Format', 'markdown')
    press('Render page')
    await screen.findByRole('region', { name: 'Text of /' })
    press('Download')
    write('Format', 'pdf')
    press('Render page')
    await screen.findByText('/ · 8 B')
    press('Download')
    assert.deepEqual(saved, ['page.md', 'page.pdf'])
    assert.ok(!isThere('region', 'Text of /'))
    assert.ok(!isThere('img'))
  })

  test('a rendered page without text is described as such, and the box of a text can be scrolled with the keyboard', async () => {
    showTryOut(markdown(' \n '))
    write('Format', 'markdown')
    press('Render page')
    const region = await screen.findByRole('region', { name: 'Text of /' })
    assert.equal(region.textContent, 'The page has no text.')
    assert.equal(region.tabIndex, 0)
  })

  test('text of a rendered page that looks like markup is shown as text', async () => {
    showTryOut(markdown('<img src=x onerror=alert(1)>'))
    write('Format', 'markdown')
    press('Render page')
    const region = await screen.findByRole('region', { name: 'Text of /' })
    assert.equal(region.textContent, '<img src=x onerror=alert(1)>')
    assert.ok(document.querySelector('img') === null)
  })

  test('the memory of a screenshot is released when another rendered page replaces it', async () => {
    showTryOut(picture(), picture())
    press('Render page')
    await screen.findByRole('img', { name: 'Picture of /' })
    assert.deepEqual(released, [])
    write('Page', '/next')
    press('Render page')
    await screen.findByRole('img', { name: 'Picture of /next' })
    assert.deepEqual(released, ['blob:1'])
  })

  test('a refused test rendering whose error is not about the address shows the error with the request id under the form', async () => {
    showTryOut(new Refusal(400, 'invalid_request', 'as: must be one of screenshot, pdf, markdown'))
    press('Render page')
    await assertAlert(/The page was not rendered.*screenshot, pdf, markdown.*req_test/)
    assert.notEqual(field('Page').getAttribute('aria-invalid'), 'true')
  })

  test('a refused address of a test rendering is described by the reason, and the corrected address is sent', async () => {
    const { requests } = showTryOut(
      new Refusal(400, 'invalid_request', 'url: must be of this app or of an allowed host'),
      picture(),
    )
    write('Page', 'https://example.org/')
    press('Render page')
    await waitFor(() => assert.equal(field('Page').getAttribute('aria-invalid'), 'true'))
    const described = field('Page').getAttribute('aria-describedby')?.split(' ') ?? []
    assert.ok(
      described.some((id) => document.getElementById(id)?.textContent?.includes('allowed host') === true),
      'the reason belongs to the field',
    )
    assert.ok(!isThere('alert'), 'the reason is shown once')
    write('Page', '/about')
    submit()
    assert.ok(await screen.findByRole('img', { name: 'Picture of /about' }))
    assert.deepEqual(requests()?.at(-1), { as: 'screenshot', url: '/about' })
  })

  test("when the month's pages are used up during a test rendering, the button says why and the last result stays", async () => {
    const { useUp, requests } = showTryOut(picture())
    press('Render page')
    await screen.findByRole('img', { name: 'Picture of /' })
    useUp()
    assert.equal(
      button('Render page').getAttribute('aria-description'),
      'The pages of this month are used up.',
    )
    press('Render page')
    await untilSent()
    assert.equal(requests()?.length, 1)
    assert.ok(isThere('img', 'Picture of /'))
  })

  test('the address of a test rendering can be as long as the service accepts', () => {
    showTryOut()
    assert.equal(field('Page').maxLength, 2000)
    assert.equal(field('Page').inputMode, 'url')
  })
})
