import assert from 'node:assert/strict'
import { test } from 'node:test'
import { act } from '@testing-library/react'
import { queryClient } from '../../../api/request/query-client.ts'
import { ticketQuery } from '../../../api/project/tickets.ts'
import { Refusal, sent, serve } from '../../../testing/console.tsx'
import { attach } from './ticket-files.ts'

const UPDATE_TICKET = 'PATCH /projects/prj_1/tickets/tkt_files'

test('when the service refuses an attachment, `attach` rejects, and a second call attaches the file', async () => {
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
