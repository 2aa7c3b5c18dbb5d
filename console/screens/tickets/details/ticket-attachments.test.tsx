import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Ticket } from '@slipway/sdk/client/types.gen.ts'
import { useQuery } from '@tanstack/react-query'
import { fireEvent, screen, within } from '@testing-library/react'
import { ticketQuery } from '../../../api/project/tickets.ts'
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
} from '../../../testing/console.tsx'
import { testTicket } from '../../../testing/tickets.ts'
import { TicketAttachments, useTicketFiles } from './ticket-attachments.tsx'

const UPLOAD = 'POST /projects/prj_1/attachments/upload-init'
const fileOf = (mediaType: string, size: number) =>
  new Response('', { headers: { 'content-type': mediaType, 'content-length': String(size) } })
const HEAD_A = 'HEAD /projects/prj_1/attachments/aaa'
const HEAD_B = 'HEAD /projects/prj_1/attachments/bbb'

let lastTicket = 0

/** Shows the files of a ticket. Each test has a separate ticket, because uploads are stored outside the components. */
async function showFiles(attachments: string[] = [], answers: Record<string, () => unknown> = {}) {
  const id = `tkt_files_${++lastTicket}`
  const path = `/projects/prj_1/tickets/${id}`
  let ticket = testTicket(id, { attachments })
  const calls = serve({
    [`GET ${path}`]: () => ticket,
    [`PATCH ${path}`]: ({ body }) => (ticket = { ...ticket, ...(body as Partial<Ticket>) }),
    [HEAD_A]: () => fileOf('image/png', 2000),
    [HEAD_B]: () => fileOf('application/pdf', 1_500_000),
    ...answers,
  })
  function Files({ shown }: { shown: Ticket }) {
    const files = useTicketFiles('prj_1', shown)
    return (
      <div {...files.handlers} data-testid="place">
        <TicketAttachments projectId="prj_1" ticket={shown} files={files} />
        <textarea aria-label="A field with files" onPaste={(event) => event.preventDefault()} />
      </div>
    )
  }
  function Page() {
    const shown = useQuery(ticketQuery('prj_1', id)).data
    return shown ? <Files shown={shown} /> : null
  }
  show(<Page />)
  await screen.findByRole('heading', { name: 'Attachments' })
  await untilSent()
  return {
    saved: () => sent(calls, `PATCH ${path}`),
    uploads: () => sent(calls, UPLOAD),
    heads: () => calls[HEAD_A]?.length,
  }
}
const tiles = () => within(screen.getByRole('list', { name: 'Attachments' })).getAllByRole('listitem')
const downloadOf = (name: string) =>
  screen.getByRole('link', { name: `Download ${name}` }).getAttribute('download')
const pictureFile = (name = 'shot.png') => new File(['png'], name, { type: 'image/png' })

/** Pastes files. Returns whether the browser still performs its default paste action. */
function paste(at: Element, files: File[], text: Record<string, string> = {}) {
  const clipboardData = {
    files,
    types: [...Object.keys(text), ...(files.length > 0 ? ['Files'] : [])],
    getData: (type: string) => text[type] ?? '',
  }
  // happy-dom cannot create a clipboard event with `clipboardData`.
  const event = Object.assign(new Event('paste', { bubbles: true, cancelable: true }), { clipboardData })
  return fireEvent(at, event)
}
function drag(kind: 'dragover' | 'dragleave' | 'drop', files: File[]) {
  const event = Object.assign(new Event(kind, { bubbles: true, cancelable: true }), {
    dataTransfer: { types: ['Files'], files, dropEffect: 'copy' },
    relatedTarget: null,
  })
  fireEvent(screen.getByTestId('place'), event)
}

describe('the files of a ticket', () => {
  test('each attached file of a ticket shows its kind and size, opens in a new tab, and downloads with a file extension', async () => {
    await showFiles(['_prompt/aaa', '_prompt/bbb'])
    await screen.findByText('PNG, 2 kB')
    await screen.findByText('PDF, 1.5 MB')
    assert.deepEqual(
      tiles().map((tile) => within(tile).getAllByRole('link')[0]?.textContent),
      ['Picture 1', 'PDF 2'],
    )
    const [open] = within(tiles()[0] as HTMLElement).getAllByRole('link')
    assert.deepEqual(
      [open?.getAttribute('target'), open?.getAttribute('href')],
      ['_blank', '/api/v1/projects/prj_1/attachments/aaa'],
    )
    assert.deepEqual([downloadOf('Picture 1'), downloadOf('PDF 2')], ['Picture 1.png', 'PDF 2.pdf'])
    assert.ok(!isShown(/Nothing attached/))
  })

  test('an attached file whose type is still unknown downloads without a file extension', async () => {
    const head = Promise.withResolvers<unknown>()
    await showFiles(['_prompt/aaa'], { [HEAD_A]: () => head.promise })
    assert.equal(downloadOf('Picture 1'), 'Picture 1')
    head.resolve(fileOf('image/jpeg', 10))
    await screen.findByText('JPEG, 10 B')
    assert.equal(downloadOf('Picture 1'), 'Picture 1.jpeg')
  })

  test('when the type of an attached file cannot be read, it downloads without an extension, and the read can be retried', async () => {
    const responses: unknown[] = [new Refusal(403, 'forbidden', 'You may not.')]
    const { heads } = await showFiles(['_prompt/aaa'], {
      [HEAD_A]: () => responses.shift() ?? fileOf('image/png', 2000),
    })
    await assertAlert(/The file cannot be read now/)
    assert.equal(downloadOf('Picture 1'), 'Picture 1')
    press('Read Picture 1 again')
    await screen.findByText('PNG, 2 kB')
    assert.equal(heads(), 2)
    assert.ok(!isThere('alert'))
  })

  test('an attached picture that cannot be shown is replaced by an icon, and a PDF always has an icon', async () => {
    await showFiles(['_prompt/aaa', '_prompt/bbb'])
    await screen.findByText(/^PDF, /)
    const pictures = () =>
      Array.from(document.querySelectorAll('img'), (picture) => picture.getAttribute('src'))
    assert.deepEqual(pictures(), ['/api/v1/projects/prj_1/attachments/aaa'])
    fireEvent.error(document.querySelector('img') as HTMLImageElement)
    assert.deepEqual(pictures(), [])
  })
})

describe('files that are added to a ticket', () => {
  test("a file that is pasted anywhere on a ticket's page is attached to the ticket", async () => {
    const { uploads } = await showFiles([], { [UPLOAD]: () => new Refusal(403, 'forbidden', 'You may not.') })
    assert.equal(paste(document.body, [pictureFile()]), false)
    await assertAlert(/You may not/)
    assert.equal(uploads()?.length, 1)
    assert.ok(isShown('shot.png'))
  })

  test('pasted text is not attached to a ticket, nor is a file that is pasted into a field that accepts files', async () => {
    const { uploads } = await showFiles()
    assert.equal(paste(document.body, [], { 'text/plain': 'Some text' }), true)
    // Word adds a picture of the copied text to the clipboard.
    assert.equal(paste(document.body, [pictureFile()], { 'text/html': '<p>x</p>', 'text/plain': 'x' }), true)
    paste(field('A field with files'), [pictureFile()])
    await untilSent()
    assert.deepEqual(uploads() ?? [], [])
    assert.ok(isShown(/Nothing attached/))
  })

  test('a file that is dragged over a ticket can be dropped there, and is attached', async () => {
    const { uploads } = await showFiles(['_prompt/aaa'], {
      [UPLOAD]: () => new Refusal(403, 'forbidden', 'You may not.'),
    })
    drag('dragover', [])
    assert.ok(isShown('Drop to attach to this ticket'))
    drag('dragleave', [])
    assert.ok(!isShown('Drop to attach to this ticket'))
    drag('dragover', [])
    drag('drop', [pictureFile('dropped.png')])
    assert.ok(!isShown('Drop to attach to this ticket'))
    await assertAlert(/You may not/)
    assert.ok(isShown('dropped.png'))
    assert.equal(uploads()?.length, 1)
  })

  test('a file that was refused as attachment can be removed from the list, but not sent again', async () => {
    const { uploads } = await showFiles([], {
      [UPLOAD]: () => new Refusal(403, 'forbidden', 'You may not.'),
    })
    fireEvent.change(field('Attach files'), { target: { files: [pictureFile()] } })
    await assertAlert(/You may not/)
    assert.ok(!isThere('button', 'Upload shot.png again'))
    press('Remove shot.png')
    assert.ok(!isShown('shot.png'))
    assert.ok(isShown(/Nothing attached/))
    assert.equal(uploads()?.length, 1)
  })

  test('an attachment whose upload lost its connection can be sent again', async () => {
    const responses: unknown[] = [new Refusal(409, 'conflict', 'Later.')]
    let isLost = true
    const { uploads } = await showFiles([], {
      [UPLOAD]: () => {
        if (isLost) throw new TypeError('fetch failed')
        return responses.shift()
      },
    })
    fireEvent.change(field('Attach files'), { target: { files: [pictureFile()] } })
    const again = await screen.findByRole('button', { name: 'Upload shot.png again' })
    isLost = false
    fireEvent.click(again)
    await assertAlert(/Later/)
    assert.ok((uploads()?.length ?? 0) > 1)
  })

  test('an attached file with a long name that looks like markup is shown as text', async () => {
    const name = `<img src=x>${'long-'.repeat(40)}.png`
    await showFiles([], { [UPLOAD]: () => new Refusal(403, 'forbidden', 'You may not.') })
    fireEvent.change(field('Attach files'), { target: { files: [pictureFile(name)] } })
    await assertAlert(/You may not/)
    assert.ok(isShown(name))
    assert.ok(button(`Remove ${name}`))
    assert.ok(document.querySelector('img') === null)
  })
})
