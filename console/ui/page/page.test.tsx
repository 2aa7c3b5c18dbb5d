import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, mock, test } from 'node:test'
import { act, screen } from '@testing-library/react'
import { field, isThere, show, showAt } from '../../testing/console.tsx'
import { LiveRegion } from './live-region.tsx'
import { Meter } from './meter.tsx'
import { PageHeading, setTitleCount, usePageTitle } from './page.tsx'
import { ProjectTile } from './project-tile.tsx'
import { Skeleton } from './skeleton.tsx'
import { StepList } from './step-list.tsx'

describe('the title of the browser tab', () => {
  afterEach(() => setTitleCount(0))
  function Page({ parts }: { parts: string[] }) {
    usePageTitle(...parts)
    return null
  }

  test('the title of the browser tab names the page from the most specific part to the product', () => {
    show(<Page parts={['Members', 'Settings']} />)
    assert.equal(document.title, 'Members · Settings · Slipway')
  })

  test('a count stays in front of the title of the browser tab when another page opens, and 0 removes it', () => {
    const { rerender } = show(<Page parts={['Projects']} />)
    act(() => setTitleCount(2))
    assert.equal(document.title, '(2) Projects · Slipway')
    rerender(<Page parts={['Activity']} />)
    assert.equal(document.title, '(2) Activity · Slipway')
    act(() => setTitleCount(0))
    assert.equal(document.title, 'Activity · Slipway')
  })
})

describe('the heading of a page', () => {
  /** Opens a first page, whose heading does not get the focus, and then the given page. */
  async function openPage(page: () => React.ReactElement) {
    const { go } = await showAt('/app/$', page, '/first')
    await go('/second')
    await screen.findByRole('heading', { level: 1 })
  }

  test('the heading gets the focus when its page opens, so that a screen reader begins to read there', async () => {
    await openPage(() => <PageHeading>Members</PageHeading>)
    assert.equal(document.activeElement?.textContent, 'Members')
    assert.equal(screen.getByRole('heading').tabIndex, -1, 'Tab does not stop at it')
  })

  test('the heading of a page that opens does not take the focus from a field of that page', async () => {
    await openPage(() => (
      <main>
        <PageHeading>Members</PageHeading>
        <input aria-label="Find" ref={(find) => find?.focus()} />
      </main>
    ))
    assert.ok(document.activeElement === field('Find'))
  })
})

describe('a bar that shows how much of a limit is used', () => {
  const renderMeter = (used: number, limit: number) => {
    const { container } = show(<Meter aria-label="Tokens" used={used} limit={limit} isNear={false} />)
    const meter = screen.getByRole('meter', { name: 'Tokens' })
    return [
      meter.getAttribute('aria-valuenow'),
      meter.getAttribute('aria-valuemax'),
      (container.querySelector('[style]') as HTMLElement).style.width,
    ]
  }

  for (const { name, used, limit, wanted } of [
    { name: 'a part of the limit fills that part of the bar', used: 1, limit: 4, wanted: ['1', '4', '25%'] },
    { name: 'an unused limit is an empty bar', used: 0, limit: 4, wanted: ['0', '4', '0%'] },
    { name: 'more than the limit fills the bar and no more', used: 9, limit: 4, wanted: ['4', '4', '100%'] },
  ])
    test(`${name}, and screen readers read the same`, () =>
      assert.deepEqual(renderMeter(used, limit), wanted))
})

describe('the progress of a task as it is announced', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setInterval', 'setTimeout'] }))
  afterEach(() => mock.timers.reset())
  const spoken = () => screen.getByRole('status').textContent
  const pass = (ms: number) => act(() => mock.timers.tick(ms))

  test('while a task runs, its newest progress is announced only every five seconds, however often the progress changes', () => {
    const { rerender } = show(<LiveRegion sentence="1 file" isRunning />)
    for (const files of [2, 3, 4]) {
      rerender(<LiveRegion sentence={`${files} files`} isRunning />)
      pass(1000)
    }
    assert.equal(spoken(), '')
    pass(2000)
    assert.equal(spoken(), '4 files')
  })

  test('the end of a task is announced at once, and its earlier progress is not announced any more', () => {
    const { rerender } = show(<LiveRegion sentence="1 file" isRunning />)
    rerender(<LiveRegion sentence="Done" isRunning={false} />)
    assert.equal(spoken(), 'Done')
    pass(20_000)
    assert.equal(spoken(), 'Done')
  })

  test('a task that ends with the same words as the task before is announced, even when it takes less than five seconds', () => {
    const { rerender } = show(<LiveRegion sentence="Done" isRunning={false} />)
    rerender(<LiveRegion sentence="Writing" isRunning />)
    assert.equal(screen.getByRole('status').textContent, '')
    rerender(<LiveRegion sentence="Done" isRunning={false} />)
    assert.equal(screen.getByRole('status').textContent, 'Done')
  })

  test('a task that starts again is announced again', () => {
    const { rerender } = show(<LiveRegion sentence="Done" isRunning={false} />)
    rerender(<LiveRegion sentence="Started again" isRunning />)
    pass(5000)
    assert.equal(spoken(), 'Started again')
  })
})

describe('a placeholder of what loads', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }))
  afterEach(() => mock.timers.reset())

  test('a loading placeholder is announced to screen readers, and becomes visible only when the response takes a while', () => {
    show(
      <Skeleton>
        <p>Bars</p>
      </Skeleton>,
    )
    assert.ok(isThere('status', 'Loading'))
    const bars = screen.getByText('Bars').parentElement as HTMLElement
    assert.equal(bars.getAttribute('aria-hidden'), 'true')
    assert.ok(bars.classList.contains('invisible'))
    act(() => mock.timers.tick(150))
    assert.ok(!bars.classList.contains('invisible'))
  })
})

describe('the steps of a task', () => {
  const renderSteps = (done: number) => {
    show(<StepList steps={['Connect', 'Check', 'Ship']} done={done} />)
    return screen.getAllByRole('listitem')
  }

  test('each step of a list of steps is read with its state, and exactly the current one is marked', () => {
    const steps = renderSteps(1)
    assert.deepEqual(
      steps.map((step) => step.textContent?.replace(/^\d/, '')),
      ['Connect, done', 'Check, now', 'Ship, later'],
    )
    assert.deepEqual(
      steps.map((step) => step.getAttribute('aria-current')),
      [null, 'step', null],
    )
  })

  test('when all steps of a list of steps are done, none is the current one', () => {
    for (const step of renderSteps(3)) {
      assert.equal(step.getAttribute('aria-current'), null)
      assert.match(step.textContent ?? '', /, done$/)
    }
  })
})

describe('the tile of a project', () => {
  const tile = (id: string, name: string) => {
    const { container, unmount } = show(<ProjectTile id={id} name={name} size="sm" />)
    const { textContent, style } = container.firstElementChild as HTMLElement
    const shown = [textContent, style.background]
    unmount()
    return shown
  }

  test('the initial tile of a name shows its first whole character, and a dot for a name without characters', () => {
    for (const [name, letter] of [
      ['plants', 'P'],
      ['  élan', 'É'],
      ['🌱 Plants', '🌱'],
      ['', '·'],
      ['   ', '·'],
    ] as const)
      assert.equal(tile('prj_1', name)[0], letter, name)
  })

  test('the color of a project depends on its id only, and projects with neighboring ids have different colors', () => {
    assert.equal(tile('prj_01jd8a', 'A')[1], tile('prj_01jd8a', 'B')[1])
    const colours = ['prj_01jd8a', 'prj_01jd8b', 'prj_01jd8c', 'prj_01jd8d'].map((id) => tile(id, 'A')[1])
    assert.equal(new Set(colours).size, colours.length)
  })
})
