import assert from 'node:assert/strict'
import { test } from 'node:test'
import { screen } from '@testing-library/react'
import type { ManagedResource } from '../../api/project/deployments.ts'
import { show } from '../../testing/console.tsx'
import { ManagedPanel } from './managed-panel.tsx'

const managedResource = (name: string, capability: string | null) =>
  ({ id: name, name, capability, kind: 'worker', status: 'ok' }) as unknown as ManagedResource

test('the resources of a project are listed under the titles of their capabilities', () => {
  show(
    <ManagedPanel
      projectId="prj_1"
      managed={[managedResource('plants-live', 'data'), managedResource('plants', null)]}
    />,
  )
  assert.deepEqual(
    screen.getAllByRole('heading', { level: 3 }).map((heading) => heading.textContent),
    ['App', 'Data and live updates'],
  )
})
