import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Sidebar, useSidebar } from '@cloudflare/kumo/components/sidebar'
import { fireEvent, screen, within } from '@testing-library/react'
import { useState } from 'react'
import type { Pane, WorkspaceSearch } from '../../routes.ts'
import { field, isThere, press, show, write } from '../../testing/console.tsx'
import { BoardPanes } from './board-panes.tsx'
import { NarrowPanes } from './narrow-panes.tsx'
import { PREVIEW_ID, useWorkKeys } from './use-work-keys.ts'

const panes = {
  tickets: <input aria-label="In tickets" />,
  work: <input aria-label="In work" />,
  preview: <p>The app</p>,
}
const pressKey = (key: string, target: Element = document.body) => fireEvent.keyDown(target, { key })

describe('the workspace on a narrow screen', () => {
  function Narrow({ onGo }: { onGo: (to: WorkspaceSearch) => void }) {
    const [pane, setPane] = useState<Pane>('tickets')
    const { openMobile } = useSidebar()
    return (
      <>
        <NarrowPanes
          panes={panes}
          pane={pane}
          go={(to) => {
            onGo(to)
            if (to.pane) setPane(to.pane)
          }}
        />
        <p>{openMobile ? 'Navigation is open' : 'Navigation is closed'}</p>
      </>
    )
  }
  function renderNarrow() {
    const went: WorkspaceSearch[] = []
    show(
      <Sidebar.Provider>
        <Narrow onGo={(to) => went.push(to)} />
      </Sidebar.Provider>,
    )
    return went
  }
  const tabs = () => within(screen.getByRole('navigation', { name: 'Parts of the workspace' }))
  const currentTabs = () =>
    tabs()
      .getAllByRole('button')
      .filter((tab) => tab.getAttribute('aria-current') === 'page')
      .map((tab) => tab.textContent)

  test('a tab at the bottom of a narrow workspace shows its pane and is marked as the current one', () => {
    const went = renderNarrow()
    assert.deepEqual(currentTabs(), ['Tickets'])
    fireEvent.click(tabs().getByRole('button', { name: 'Work' }))
    assert.deepEqual([went, currentTabs()], [[{ pane: 'work' }], ['Work']])
  })

  test('text in a field of a workspace pane is still there after another pane was shown', () => {
    renderNarrow()
    write('In tickets', 'Half a sentence')
    fireEvent.click(tabs().getByRole('button', { name: 'Preview' }))
    fireEvent.click(tabs().getByRole('button', { name: 'Tickets' }))
    assert.equal(field('In tickets').value, 'Half a sentence')
  })

  test('each pane of the workspace is a region with a name, so that a screen reader can list them', () => {
    renderNarrow()
    assert.deepEqual(
      screen.getAllByRole('region', { hidden: true }).map((region) => region.getAttribute('aria-label')),
      ['Tickets', 'Work', 'Preview'],
    )
  })

  test('the button “More” of the workspace opens the navigation and keeps the shown pane', () => {
    const went = renderNarrow()
    fireEvent.click(tabs().getByRole('button', { name: 'More' }))
    assert.ok(screen.getByText('Navigation is open'))
    assert.deepEqual([went, currentTabs()], [[], ['Tickets']])
  })
})

describe('the workspace with a board', () => {
  function renderBoardPanes(hasWork: boolean) {
    let closed = 0
    const props = { tickets: panes.tickets, onClose: () => closed++ }
    const shown = show(<BoardPanes {...props} work={hasWork ? panes.work : null} />)
    return {
      closings: () => closed,
      close: () => shown.rerender(<BoardPanes {...props} work={null} />),
    }
  }

  test('a ticket that is open beside the board is closed by its button and by Escape', () => {
    const { closings } = renderBoardPanes(true)
    assert.ok(isThere('region', 'Work'))
    press('Close ticket')
    pressKey('Escape')
    assert.equal(closings(), 2)
  })

  test('Escape in a field of the ticket does not close the ticket, because something may be typed there', () => {
    const { closings } = renderBoardPanes(true)
    pressKey('Escape', field('In work'))
    assert.equal(closings(), 0)
  })

  test('without an open ticket the board has the whole width, and Escape closes nothing', () => {
    const { closings } = renderBoardPanes(false)
    pressKey('Escape')
    assert.equal(closings(), 0)
    assert.ok(!isThere('region', 'Work'))
    assert.ok(!isThere('button'))
  })

  test('closing a ticket keeps the text that was typed in another pane', () => {
    const { close } = renderBoardPanes(true)
    write('In tickets', 'Half a sentence')
    close()
    assert.equal(field('In tickets').value, 'Half a sentence')
  })
})

describe('the shortcuts of the workspace', () => {
  function renderKeys() {
    const went: WorkspaceSearch[] = []
    const Keys = () => {
      useWorkKeys((to) => went.push(to))
      return (
        <section id={PREVIEW_ID} tabIndex={-1} aria-label="Preview">
          <input aria-label="Note" />
        </section>
      )
    }
    show(<Keys />)
    return went
  }

  test('in the workspace the keys 1, 2 and 3 show the plan, the build and the ticket, even on a narrow screen', () => {
    const went = renderKeys()
    for (const key of ['1', '2', '3']) pressKey(key)
    assert.deepEqual(went, [
      { tab: 'plan', pane: 'work' },
      { tab: 'build', pane: 'work' },
      { tab: 'ticket', pane: 'work' },
    ])
  })

  test('in the workspace the key 4 shows the preview and moves the focus there', () => {
    const went = renderKeys()
    pressKey('4')
    assert.deepEqual(went, [{ pane: 'preview' }])
    assert.equal(document.activeElement?.id, PREVIEW_ID)
  })

  test('a digit that is typed into a field does not switch the pane of the workspace', () => {
    const went = renderKeys()
    for (const key of ['1', '2', '3', '4']) pressKey(key, field('Note'))
    assert.deepEqual(went, [])
  })
})
