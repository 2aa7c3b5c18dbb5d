import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { screen } from '@testing-library/react'
import { serve, show } from '../../../testing/console.tsx'
import { LiveEmpty } from './live-empty.tsx'

const renderLiveEmpty = (next: 'ticket' | 'app', url: string | null) => {
  serve({ 'GET /projects/prj_1': () => ({ id: 'prj_1', name: 'Plants', url }) })
  show(<LiveEmpty projectId="prj_1" icon={null} title="No team yet" hint="People make them." next={next} />)
}

describe('an empty list of the live app', () => {
  test('when only a new feature of the app can fill a list, the note for the empty list links to the tickets', () => {
    renderLiveEmpty('ticket', 'https://plants.test')
    const link = screen.getByRole<HTMLAnchorElement>('link', { name: 'Write a ticket' })
    assert.equal(link.pathname + link.search, '/projects/prj_1?pane=tickets')
  })

  test('when the users of the app can fill a list, the note for the empty list has a link that opens the app in a new tab', async () => {
    renderLiveEmpty('app', 'https://plants.test')
    const link = await screen.findByRole<HTMLAnchorElement>('link', { name: 'Open the app' })
    assert.deepEqual([link.origin, link.target], ['https://plants.test', '_blank'])
  })
})
