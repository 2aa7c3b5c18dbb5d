import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { screen, waitFor } from '@testing-library/react'
import {
  assertAlert,
  field,
  isShown,
  press,
  Refusal,
  serve,
  show,
  untilSent,
  write,
} from '../../../testing/console.tsx'
import { NewRecord } from './new-record.tsx'
import type { CollectionSchema } from './record-grid.tsx'

const DATA_PATH = '/projects/prj_1/capabilities/data'
const ADA = `u_${'a'.repeat(26)}`
const tasks: CollectionSchema = {
  name: 'tasks',
  title: 'Tasks',
  partition: 'app',
  fields: [
    { name: 'title', type: 'text', required: true, title: 'What to do' },
    { name: 'notes', type: 'text', required: false, as: 'long' },
    { name: 'due', type: 'date', required: false },
    { name: 'status', type: 'enum', required: false, values: ['open', 'closed'], default: 'open' },
    { name: 'isUrgent', type: 'boolean', required: true },
    { name: 'tags', type: 'list', required: false },
    { name: 'project', type: 'ref', required: false, ref: 'projects' },
  ],
}
const projects = {
  name: 'projects',
  title: 'Projects',
  partition: 'app',
  label: 'name',
  count: 1,
  fields: [{ name: 'name', type: 'text', required: true }],
}

function renderNewRecord(info: CollectionSchema = tasks, answer: () => unknown = () => ({ id: 'rec_1' })) {
  const closed: string[] = []
  const house = { id: 'rec_house', partition: 'app', name: 'The house' }
  const calls = serve({
    [`POST ${DATA_PATH}/records/tasks/app`]: answer,
    [`POST ${DATA_PATH}/records/tasks/${ADA}`]: answer,
    [`GET ${DATA_PATH}/collections`]: () => [projects],
    [`GET ${DATA_PATH}/pages/projects`]: () => ({ items: [house], nextCursor: null }),
    'GET /projects/prj_1/capabilities/auth/people': () => ({
      items: [{ id: ADA, name: 'Ada', email: 'ada@example.test' }],
      nextCursor: null,
    }),
  })
  const { unmount } = show(<NewRecord projectId="prj_1" info={info} onClose={() => closed.push('closed')} />)
  const sent = (partition = 'app') =>
    calls[`POST ${DATA_PATH}/records/tasks/${partition}`]?.map(({ body }) => body)
  return { closed, sent, unmount }
}

describe('a record that is added', () => {
  test('a new record has a labelled control for each field type and sends values of that type', async () => {
    const { closed, sent } = renderNewRecord()
    assert.equal(field('Notes').tagName, 'TEXTAREA')
    assert.equal(field('Due').type, 'date')
    write('What to do', 'Paint')
    write('Due', '2026-12-01')
    write('Status', 'closed')
    write('Tags', 'one\n two \n')
    press('Save record')
    await waitFor(() => assert.deepEqual(closed, ['closed']))
    assert.deepEqual(sent(), [
      {
        title: 'Paint',
        notes: null,
        due: '2026-12-01',
        status: 'closed',
        isUrgent: false,
        tags: ['one', 'two'],
        project: null,
      },
    ])
  })

  test('the reference of a new record is chosen by name and sent as the id of the referenced record', async () => {
    const { sent } = renderNewRecord()
    write('What to do', 'Paint')
    press((await screen.findByRole('button', { name: 'The house' })).textContent ?? '')
    await screen.findByRole('button', { name: 'Remove Project' })
    press('Save record')
    await waitFor(() => assert.partialDeepStrictEqual(sent()?.[0], { title: 'Paint', project: 'rec_house' }))
  })

  test('a new record that needs an owner is not sent before an owner is chosen', async () => {
    const { sent } = renderNewRecord({ ...tasks, partition: 'user', fields: tasks.fields.slice(0, 1) })
    write('What to do', 'Paint')
    press('Save record')
    assert.ok(isShown('Choose whose record it is.'))
    press((await screen.findByRole('button', { name: /ada@example.test/ })).textContent ?? '')
    press('Save record')
    await waitFor(() => assert.deepEqual(sent(ADA), [{ title: 'Paint' }]))
    await untilSent()
    assert.deepEqual(sent(), [])
  })

  test('a new record that the service refuses keeps its input and shows the reason', async () => {
    const { closed } = renderNewRecord(tasks, () => new Refusal(409, 'conflict', 'title: is taken already'))
    write('What to do', 'Paint')
    press('Save record')
    await assertAlert(/conflict/)
    assert.deepEqual([field('What to do').value, closed], ['Paint', []])
  })

  test('a new record that was not saved is in its form again after a reload, until it is saved', async () => {
    const { unmount } = renderNewRecord()
    write('What to do', 'Paint')
    write('Notes', 'Two coats')
    unmount()
    const { closed, sent } = renderNewRecord()
    assert.ok(isShown('Your unsent text is back.'))
    assert.deepEqual([field('What to do').value, field('Notes').value], ['Paint', 'Two coats'])
    press('Save record')
    await waitFor(() => assert.deepEqual(closed, ['closed']))
    assert.partialDeepStrictEqual(sent()?.[0], { title: 'Paint', notes: 'Two coats' })
    assert.equal(localStorage.length, 0)
  })

  test('“Discard” beside the restored draft of a new record empties the form', async () => {
    const { unmount } = renderNewRecord()
    write('What to do', 'Paint')
    unmount()
    renderNewRecord()
    press('Discard')
    assert.deepEqual([field('What to do').value, localStorage.length], ['', 0])
    assert.ok(document.activeElement === field('What to do'))
  })
})
