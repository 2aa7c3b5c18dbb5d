import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  act,
  isShown,
  press,
  record,
  render,
  screen,
  serveApp,
  waitFor,
  write,
} from '../../testing/kit.test.fixture.tsx'
import type { StoredRecord } from '../../data/frames.ts'
import type { CollectionSpec } from '../../kernel/manifest.ts'
import { manifest } from '../../manifest.gen.ts'
import { useRecordDialogs } from './dialogs.tsx'
import { ToastRegion } from '../toast.tsx'

const SEEDS: CollectionSpec = {
  title: 'Seeds',
  partition: 'team',
  read: 'team',
  write: 'team',
  fields: { name: { type: 'text', required: true } },
}
manifest.collections['seeds'] = SEEDS

const BEAN = record('bean', { name: 'Bean' })
const PEA = record('pea', { name: 'Pea' })

interface Handlers {
  onEdit?: (row: StoredRecord, input: Record<string, unknown>) => unknown
  onDelete?: (row: StoredRecord) => unknown
}

function Seeds({ onEdit, onDelete, rows = [BEAN, PEA] }: Handlers & { rows?: StoredRecord[] }) {
  const partition = 't_seeds'
  const dialogs = useRecordDialogs({ collection: 'seeds', spec: SEEDS, partition, rows, onEdit, onDelete })
  return (
    <>
      {dialogs.hasButtons && dialogs.buttons(BEAN)}
      {dialogs.hasButtons && dialogs.buttons(PEA)}
      {dialogs.windows}
      <ToastRegion />
    </>
  )
}
const openDialog = () => screen.queryByRole('dialog')?.querySelector('h2')?.textContent ?? null
const buttons = () => screen.queryAllByRole('button').map((one) => one.getAttribute('aria-label'))

/** A handler whose calls stay pending until the test settles them, and the list of these calls with their rows. */
function slowHandler() {
  const calls: { row: unknown; end: () => void; fail: (error: Error) => void }[] = []
  const handle = (row: StoredRecord) => {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    calls.push({ row: row.id, end: resolve, fail: reject })
    return promise
  }
  return { calls, handle }
}

describe('the dialogs that change and delete a record', () => {
  test('a listed record has a button for each handler that the app passes, and no other button', () => {
    const { rerender } = render(<Seeds />)
    assert.deepEqual(buttons(), [])
    rerender(<Seeds onDelete={() => {}} />)
    assert.deepEqual(buttons(), ['Delete Bean', 'Delete Pea'])
    rerender(<Seeds onEdit={() => {}} onDelete={() => {}} />)
    assert.deepEqual(buttons(), ['Edit Bean', 'Delete Bean', 'Edit Pea', 'Delete Pea'])
  })

  test('saving an edited record passes its changes to the handler, closes the dialog and shows that they were saved', async () => {
    const changes: unknown[] = []
    serveApp({})
    render(<Seeds onEdit={(row, input) => changes.push([row.id, input])} />)
    press('Edit Bean')
    assert.equal(openDialog(), 'Edit Bean')
    write('Name', 'Runner bean')
    press('Save changes')
    await waitFor(() => assert.equal(openDialog(), null))
    assert.deepEqual(changes, [['bean', { name: 'Runner bean' }]])
    assert.ok(isShown('Changes saved'))
  })

  test('saving one field in an edit dialog does not overwrite another field that changed in the meantime', async () => {
    const changes: unknown[] = []
    serveApp({})
    SEEDS.fields['note'] = { type: 'text' }
    const onEdit = (row: StoredRecord, input: object) => changes.push([row.rev, input])
    const { rerender } = render(<Seeds onEdit={onEdit} />)
    press('Edit Bean')
    write('Name', 'Runner bean')
    rerender(<Seeds onEdit={onEdit} rows={[{ ...BEAN, rev: 7, note: 'Soak it first' }]} />)
    press('Save changes')
    await waitFor(() => assert.equal(openDialog(), null))
    // A row that is no longer in the list, such as after a search, is changed as it was shown.
    press('Edit Pea')
    write('Note', 'Sow in May')
    press('Save changes')
    await waitFor(() => assert.equal(openDialog(), null))
    delete SEEDS.fields['note']
    assert.deepEqual(changes, [
      [7, { name: 'Runner bean', note: 'Soak it first' }],
      [PEA.rev, { name: 'Pea', note: 'Sow in May' }],
    ])
  })

  test('a rejected change of a record keeps the edit dialog open with the reason and the typed text', async () => {
    render(
      <Seeds
        onEdit={() => {
          throw new Error('Only staff may change seeds.')
        }}
      />,
    )
    press('Edit Bean')
    write('Name', 'Runner bean')
    press('Save changes')
    await waitFor(() => assert.equal(screen.getByRole('alert').textContent, 'Only staff may change seeds.'))
    assert.equal(openDialog(), 'Edit Bean')
    assert.equal(screen.getByLabelText<HTMLInputElement>('Name').value, 'Runner bean')
  })

  test('an edit that is stored after its dialog was closed does not close the dialog of another record', async () => {
    const { calls, handle } = slowHandler()
    render(<Seeds onEdit={handle} />)
    press('Edit Bean')
    press('Save changes')
    press('Cancel')
    press('Edit Pea')
    write('Name', 'Sweet pea')
    await act(async () => calls[0]?.end())
    assert.equal(openDialog(), 'Edit Pea')
    assert.equal(screen.getByLabelText<HTMLInputElement>('Name').value, 'Sweet pea')
    assert.ok(isShown('Changes saved'))
  })

  test('a deletion that ends after its confirmation dialog was closed does not close the dialog about another record', async () => {
    const { calls, handle } = slowHandler()
    render(<Seeds onDelete={handle} />)
    press('Delete Bean')
    // The buttons of the rows and of the dialog have the same names.
    const confirm = () =>
      screen
        .getAllByRole('button', { name: /^Delete/ })
        .at(-1)
        ?.click()
    await act(async () => confirm())
    press('Keep it')
    press('Delete Pea')
    await act(async () => calls[0]?.end())
    assert.equal(openDialog(), 'Delete Pea?')
    assert.ok(isShown('Bean was deleted'))
    assert.deepEqual(
      calls.map(({ row }) => row),
      ['bean'],
    )
  })
})
