import assert from 'node:assert/strict'
import { test } from 'node:test'
import { act } from '@testing-library/react'
import { queryClient } from '../../../api/request/query-client.ts'
import { ticketQuery } from '../../../api/project/tickets.ts'
import { attachmentQuery } from '../../../api/uploads/attachments.ts'
import { Refusal, sent, serve } from '../../../testing/console.tsx'
import { testTicket } from '../../../testing/tickets.ts'
import { attach, attachmentUsageOf } from './ticket-files.ts'

const UPDATE_TICKET = 'PATCH /projects/prj_1/tickets/tkt_files'

test('after the service refused an attachment, attaching the file again can succeed', async () => {
  const { queryKey } = ticketQuery('prj_1', 'tkt_files')
  queryClient.setQueryData(queryKey, { id: 'tkt_files', projectId: 'prj_1', attachments: [] } as never)
  let isFull = true
  const calls = serve({
    [UPDATE_TICKET]: ({ body }) =>
      isFull
        ? new Refusal(409, 'conflict', 'A ticket has at most 20 attachments.')
        : { id: 'tkt_files', projectId: 'prj_1', ...(body as object) },
  })
  const tryToAttach = async () => {
    await act(() => attach('prj_1', 'tkt_files', 'key_1', 'plan.png'))
  }
  await assert.rejects(tryToAttach(), /at most 20 attachments/)
  isFull = false
  await tryToAttach()
  assert.deepEqual(sent(calls, UPDATE_TICKET), [{ attachments: ['key_1'] }, { attachments: ['key_1'] }])
})

test('an upload that ends after its ticket left the cache is attached and keeps the other attachments', async () => {
  const path = '/projects/prj_1/tickets/tkt_left'
  queryClient.removeQueries({ queryKey: ticketQuery('prj_1', 'tkt_left').queryKey })
  const calls = serve({
    [`GET ${path}`]: () => testTicket('tkt_left', { attachments: ['meanwhile'] }),
    [`PATCH ${path}`]: ({ body }) => ({ ...testTicket('tkt_left'), ...(body as object) }),
  })
  await act(() => attach('prj_1', 'tkt_left', 'key_2', 'plan.png'))
  assert.deepEqual(sent(calls, `PATCH ${path}`), [{ attachments: ['meanwhile', 'key_2'] }])
})

test('a file that is removed while it is being attached does not stay on the ticket', async () => {
  const { queryKey } = ticketQuery('prj_1', 'tkt_dropped')
  const update = 'PATCH /projects/prj_1/tickets/tkt_dropped'
  queryClient.setQueryData(queryKey, testTicket('tkt_dropped', { attachments: ['old'] }))
  const stop = new AbortController()
  const calls = serve({
    [update]: ({ body }) => {
      stop.abort()
      return { ...testTicket('tkt_dropped'), ...(body as object) }
    },
  })
  await act(() => attach('prj_1', 'tkt_dropped', 'key_6', 'plan.png', stop.signal))
  assert.deepEqual(sent(calls, update), [{ attachments: ['old', 'key_6'] }, { attachments: ['old'] }])
  assert.deepEqual(queryClient.getQueryData(queryKey)?.attachments, ['old'])
})

test('attaching a file to a ticket that was deleted during the upload throws', async () => {
  serve({ 'GET /projects/prj_1/tickets/tkt_deleted': () => new Refusal(404, 'not_found', 'No such ticket.') })
  await assert.rejects(
    async () => act(() => attach('prj_1', 'tkt_deleted', 'key_3', 'plan.png')),
    /No such ticket/,
  )
})

test('a file that is already attached is not attached again', async () => {
  const { queryKey } = ticketQuery('prj_1', 'tkt_twice')
  queryClient.setQueryData(queryKey, testTicket('tkt_twice', { attachments: ['key_4'] }))
  const calls = serve({ 'PATCH /projects/prj_1/tickets/tkt_twice': () => null })
  await act(() => attach('prj_1', 'tkt_twice', 'key_4', 'plan.png'))
  assert.deepEqual(calls['PATCH /projects/prj_1/tickets/tkt_twice'], [])
})

test('attached files count toward the limits of a ticket, and a file of unknown size counts as 0 bytes', () => {
  queryClient.setQueryData(attachmentQuery('prj_1', 'key_5').queryKey, { mediaType: 'image/png', size: 100 })
  assert.deepEqual(attachmentUsageOf('prj_1', ['key_5', 'key_unknown']), { count: 2, bytes: 100 })
})
