import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { cleanup, screen } from '@testing-library/react'
import { showAt } from '../../testing/console.tsx'
import { Settings } from './settings.tsx'

describe('the sections of the settings', () => {
  test('the current section of the settings is marked, even when the URL ends with a slash', async () => {
    for (const address of ['/settings/models', '/settings/models/']) {
      const { place } = await showAt('/app/settings/models', Settings, address)
      assert.equal(place(), address)
      const current = screen.getAllByRole('link', { current: 'page' })
      assert.deepEqual(
        current.map((link) => link.getAttribute('href')),
        ['/settings/models'],
        address,
      )
      cleanup()
    }
  })
})
