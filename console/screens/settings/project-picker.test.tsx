import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { screen, waitFor } from '@testing-library/react'
import { useState } from 'react'
import {
  assertAlert,
  press,
  Refusal,
  serve,
  show,
  shownOption,
  untilSent,
  write,
} from '../../testing/console.tsx'
import { ProjectPicker } from './project-picker.tsx'

const LIST = 'GET /projects'
const project = (id: string, name: string) => ({ id, name })
const PLANTS = project('prj_1', 'Plants')
const NOTES = project('prj_2', 'Notes')

/** Shows the picker. `answer` returns the projects of a search; the list without a search has a further page. */
function renderPicker(
  first: string | null,
  answer: (q: string) => unknown = (q) => (q === '' ? [PLANTS, NOTES] : [NOTES]),
  others: Record<string, () => unknown> = {},
) {
  const calls = serve({
    [LIST]: ({ query }) => {
      const found = answer(query['q'] ?? '')
      return Array.isArray(found)
        ? { items: found, nextCursor: query['q'] === undefined ? 'next' : null }
        : found
    },
    ...others,
  })
  const chosen: string[] = []
  function Page() {
    const [value, setValue] = useState(first)
    return (
      <ProjectPicker
        label="Project"
        value={value}
        onChange={(next) => {
          chosen.push(next)
          setValue(next)
        }}
      />
    )
  }
  show(<Page />)
  return {
    chosen,
    searched: () => calls[LIST]?.flatMap(({ query }) => (query['q'] === undefined ? [] : [query['q']])),
  }
}
const options = () => [...screen.getByLabelText<HTMLSelectElement>('Project').options].map(({ text }) => text)
const selected = () => shownOption(screen.getByLabelText<HTMLSelectElement>('Project'))

describe('the project picker', () => {
  test('a selected project that the search does not find stays selected, with its name', async () => {
    renderPicker('prj_1', undefined, { 'GET /projects/prj_1': () => PLANTS })
    await waitFor(() => assert.equal(selected(), 'Plants'))
    write(/^Search/, 'notes')
    await waitFor(() => assert.deepEqual(options(), ['Plants', 'Notes']))
    assert.equal(selected(), 'Plants')
  })

  test('a selected project that cannot be read is shown by its id instead of another project', async () => {
    renderPicker('prj_9', undefined, { 'GET /projects/prj_9': () => new Refusal(404, 'not_found', 'Gone.') })
    await waitFor(() => assert.deepEqual(options(), ['prj_9', 'Plants', 'Notes']))
    assert.equal(selected(), 'prj_9')
  })

  test('a project search longer than the service allows is cut, and only matching projects are shown', async () => {
    const { searched } = renderPicker(null, (q) =>
      q.length > 48 ? new Refusal(400, 'invalid_request', 'q: is too long') : q === '' ? [PLANTS, NOTES] : [],
    )
    await waitFor(() => assert.ok(options().includes('Plants')))
    write(/^Search/, 'a project with a very long name that was pasted as a whole sentence')
    await waitFor(() => assert.equal(searched()?.length, 1))
    await waitFor(() => assert.equal(options().includes('Plants'), false))
    assert.equal(searched()?.[0]?.length, 48)
  })

  test('a project search of blanks shows all projects and sends no search', async () => {
    const { searched } = renderPicker(null)
    await waitFor(() => assert.ok(options().includes('Plants')))
    write(/^Search/, '   ')
    await untilSent()
    assert.deepEqual(searched(), [])
    assert.deepEqual(options().slice(1), ['Plants', 'Notes'])
  })

  test('no project is selected in a project picker until the user selects one', async () => {
    const { chosen } = renderPicker(null)
    await waitFor(() => assert.ok(options().includes('Plants')))
    assert.ok(!['Plants', 'Notes'].includes(selected() ?? ''))
    write('Project', 'prj_2')
    assert.deepEqual(chosen, ['prj_2'])
    assert.deepEqual(options(), ['Plants', 'Notes'])
  })

  test('when the projects for a picker cannot be read, a retry is offered in place of an empty list', async () => {
    let isAway = true
    renderPicker(null, () => (isAway ? new Refusal(400, 'invalid_request', 'Not now.') : [PLANTS]))
    await assertAlert(/Not now/)
    assert.ok(screen.queryByLabelText('Project') === null)
    isAway = false
    press('Try again')
    await waitFor(() => assert.ok(options().includes('Plants')))
  })
})
