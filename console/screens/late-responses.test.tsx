import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Asset, Project } from '@slipway/sdk/client/types.gen.ts'
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { useState } from 'react'
import type { Member } from '../api/organization/members.ts'
import { field, press, show, showAt, write } from '../testing/console.tsx'
import { inDialog, pressInDialog } from '../testing/dialog.ts'
import { serveHeld } from '../testing/held.ts'
import { PasskeyRow } from './account/passkey-row.tsx'
import { AssetRow } from './assets/asset-row.tsx'
import { NewRecord } from './capabilities/data/new-record.tsx'
import { type CollectionSchema, type DataRecord } from './capabilities/data/record-grid.tsx'
import { OrderedRecords } from './capabilities/data/records.tsx'
import { Codes } from './capabilities/pay/codes.tsx'
import { Products } from './capabilities/pay/products.tsx'
import { DeleteProject } from './deployments/delete-project.tsx'
import { MemberRow } from './settings/members/member-row.tsx'
import { Models } from './settings/models/models.tsx'
import { VersionPage } from './versions/version-page.tsx'

const dialogTitle = () => inDialog().getByRole('heading').textContent

const plants: CollectionSchema = {
  name: 'plants',
  title: 'Plants',
  partition: 'app',
  fields: [{ name: 'name', type: 'text', required: true }],
}
const record = (id: string, name: string): DataRecord => ({
  id,
  partition: 'app',
  ownerId: null,
  rev: 1,
  createdAt: '2026-11-20T00:00:00.000Z',
  updatedAt: '2026-11-20T00:00:00.000Z',
  name,
})
const DATA = '/projects/prj_1/capabilities/data'

describe('a dialog that is closed while its request runs', () => {
  test('a record that is saved after its dialog was closed leaves the dialog of another record open, with its text', async () => {
    const { isAsked, respond } = serveHeld(`PUT ${DATA}/records/plants/app/r1`, record('r1', 'Tall fern'), {
      [`GET ${DATA}/pages/plants`]: () => ({
        items: [record('r1', 'Fern'), record('r2', 'Moss')],
        nextCursor: null,
      }),
      [`GET ${DATA}/collections`]: () => [plants],
    })
    function Page() {
      const [open, setOpen] = useState<string>()
      return (
        <OrderedRecords
          projectId="prj_1"
          info={plants}
          order={{}}
          filters={[]}
          record={open}
          onOpen={setOpen}
          onOrder={() => {}}
        />
      )
    }
    show(<Page />)
    fireEvent.click(await screen.findByRole('button', { name: 'Open record Fern r1' }))
    await screen.findByRole('dialog')
    write('Name', 'Tall fern')
    press('Save record')
    await isAsked()
    press('Cancel')
    press('Open record Moss r2')
    await waitFor(() => assert.equal(field('Name').value, 'Moss'))
    write('Name', 'Green moss')
    await respond()
    assert.equal(field('Name').value, 'Green moss')
  })

  test('a record that is added after its form was closed leaves the next form open, with its text', async () => {
    const { isAsked, respond } = serveHeld(`POST ${DATA}/records/plants/app`, record('r1', 'Fern'), {})
    function Page() {
      const [n, setN] = useState(1)
      return n > 2 ? null : (
        <NewRecord key={n} projectId="prj_1" info={plants} onClose={() => setN((now) => now + 1)} />
      )
    }
    show(<Page />)
    write('Name', 'Fern')
    press('Save record')
    await isAsked()
    press('Cancel')
    write('Name', 'Moss')
    await respond()
    assert.equal(field('Name').value, 'Moss')
    assert.equal(localStorage.length, 1, 'the draft of the next record is kept')
  })

  test('a discount code that is deactivated after its dialog was closed leaves the dialog of another code open', async () => {
    const code = (id: string, name: string) => ({
      id,
      code: name,
      percentOff: 20,
      amountOff: null,
      currency: null,
      duration: 'once',
      maxRedemptions: null,
      redeemed: 0,
    })
    const { isAsked, respond } = serveHeld(
      'POST /projects/prj_1/pay/codes/c1/archive',
      code('c1', 'SPRING'),
      {
        'GET /projects/prj_1/pay/codes': () => [code('c1', 'SPRING'), code('c2', 'AUTUMN')],
      },
    )
    show(<Codes projectId="prj_1" currency="eur" />)
    fireEvent.click(await screen.findByRole('button', { name: 'End the code SPRING' }))
    pressInDialog('End')
    await isAsked()
    pressInDialog('Cancel')
    press('End the code AUTUMN')
    await respond()
    assert.equal(dialogTitle(), 'End the code AUTUMN?')
  })

  test('a product price that is set after its form was closed leaves the dialog that archives the product open', async () => {
    const vase = { id: 'prod_1', name: 'Vase', amount: 1250, currency: 'eur', interval: null, active: true }
    const { isAsked, respond } = serveHeld('POST /projects/prj_1/pay/products/prod_1/price', vase, {
      'GET /projects/prj_1/pay/products': () => [vase],
    })
    show(<Products projectId="prj_1" currency="eur" />)
    fireEvent.click(await screen.findByRole('button', { name: 'New price of Vase' }))
    write('Price (EUR)', '15')
    press('Set the price')
    await isAsked()
    press('Cancel')
    press('Archive Vase')
    await respond()
    assert.equal(dialogTitle(), 'Stop selling Vase?')
  })

  test('a model connection that is saved after its form was closed leaves the form of another connection open, with its text', async () => {
    const model = (id: string, label: string) => ({
      id,
      provider: 'anthropic',
      label,
      baseUrl: null,
      models: ['sonnet'],
      defaultModel: 'sonnet',
      isDefault: false,
      limits: null,
      modalities: null,
      hasKey: true,
      createdAt: '2026-01-01T00:00:00Z',
    })
    const { isAsked, respond } = serveHeld('PATCH /connections/models/mdl_1', model('mdl_1', 'First'), {
      'GET /me': () => ({
        user: { id: 'usr_ada' },
        organization: { id: 'org_1' },
        role: 'owner',
        scopes: [],
        plan: 'free',
      }),
      'GET /connections/models': () => [model('mdl_1', 'First'), model('mdl_2', 'Second')],
      'GET /connections/models/limits': () => ({ month: '2026-12', used: 0, monthly: null, perTicket: null }),
    })
    await showAt('/app/settings/models', Models, '/settings/models')
    const edit = async (n: number) => {
      const found = (await screen.findAllByRole('button', { name: 'Edit' }))[n]
      assert.ok(found)
      fireEvent.click(found)
      await screen.findByRole('dialog')
    }
    await edit(0)
    write('Name', 'Renamed')
    pressInDialog('Save connection')
    await isAsked()
    pressInDialog('Cancel')
    await edit(1)
    write('Name', 'Also renamed')
    await respond()
    assert.equal(field('Name').value, 'Also renamed')
  })

  test("an asset's access that is saved after its dialog was closed leaves the dialog that deletes the asset open", async () => {
    const asset: Asset = {
      path: 'logo.png',
      name: 'logo.png',
      size: 10,
      contentType: 'image/png',
      access: { kind: 'public' },
      url: null,
      createdAt: '2026-01-01T00:00:00Z',
    }
    const { isAsked, respond } = serveHeld('PATCH /projects/prj_1/assets/logo.png', asset, {})
    show(<AssetRow projectId="prj_1" asset={asset} />)
    fireEvent.click(screen.getByRole('button', { name: /change who may see logo.png/ }))
    await screen.findByRole('dialog')
    pressInDialog('Save access')
    await isAsked()
    pressInDialog('Cancel')
    fireEvent.click(screen.getByRole('button', { name: /^Delete/ }))
    const title = await screen.findByRole('heading', { name: /Delete/ })
    await respond()
    assert.ok(title.isConnected)
  })

  test("a member's role that is changed after its dialog was closed leaves the dialog that removes the member open", async () => {
    const bob: Member = {
      id: 'mbr_bob',
      userId: 'usr_bob',
      role: 'member',
      createdAt: '2026-01-01T00:00:00Z',
      user: { name: 'Bob', email: 'bob@example.test' },
    }
    const { isAsked, respond } = serveHeld(
      'POST /api/auth/organization/update-member-role',
      {},
      {
        'GET /members/mbr_bob/belongings': () => ({ apiKeys: [], webhooks: [], ingestSources: [] }),
      },
    )
    show(<MemberRow member={bob} viewer={{ userId: 'usr_ada', role: 'owner', owners: 1 }} />)
    write('Role of Bob', 'admin')
    await screen.findByRole('dialog')
    pressInDialog('Change role')
    await isAsked()
    pressInDialog('Cancel')
    press('Remove Bob')
    const title = await screen.findByRole('heading', { name: /Remove Bob/ })
    await respond()
    assert.ok(title.isConnected)
  })

  test('a passkey that is renamed after its dialog was closed leaves the dialog that removes it open', async () => {
    const { isAsked, respond } = serveHeld('POST /api/auth/passkey/update-passkey', {}, {})
    show(<PasskeyRow passkey={{ id: 'pk_1', name: 'Laptop', createdAt: null, backedUp: true }} />)
    press('Rename: Laptop')
    await screen.findByRole('dialog')
    write('Name', 'Old laptop')
    pressInDialog('Save name')
    await isAsked()
    pressInDialog('Cancel')
    press('Remove: Laptop')
    const title = await screen.findByRole('heading', { name: /Laptop/ })
    await respond()
    assert.ok(title.isConnected)
  })
})

describe('a user who has left the page while a request runs', () => {
  const project = { id: 'prj_1', name: 'Plants' } as Project

  test('after a project was deleted, the list of projects opens only for a user who is still on a page of that project', async () => {
    for (const [elsewhere, after] of [
      ['/projects/prj_2/code', '/projects/prj_2/code'],
      ['/projects/prj_10', '/projects/prj_10'],
      ['/settings/models', '/settings/models'],
      ['/projects/prj_1/code', '/projects'],
    ] as const) {
      const { isAsked, respond } = serveHeld(
        'DELETE /projects/prj_1',
        { teardown: { remaining: 0, failed: [] } },
        {},
      )
      const page = await showAt(
        '/app/projects/$projectId/settings',
        () => <DeleteProject project={project} />,
        '/projects/prj_1/settings',
      )
      press('Delete project')
      await screen.findByRole('dialog')
      write('Type Plants to confirm', 'Plants')
      pressInDialog('Delete project')
      await isAsked()
      await page.go(elsewhere)
      await respond()
      assert.equal(page.place(), after, `was at ${elsewhere}`)
      cleanup()
    }
  })

  test('reverting a version does not open another page when it ends after its dialog was closed', async () => {
    const [first, second] = ['a'.repeat(40), 'b'.repeat(40)]
    const version = (sha: string, current: boolean) => ({
      sha,
      message: 'Keeps plants',
      ticketId: null,
      runId: null,
      author: 'Ada',
      createdAt: '2026-11-20T10:00:00.000Z',
      files: 1,
      current,
    })
    const file = { path: 'app.json', status: 'added', added: 1, removed: 0, before: null, after: '{}\n' }
    const { isAsked, respond } = serveHeld(
      `POST /projects/prj_1/versions/${first}/revert`,
      { restored: first },
      {
        'GET /projects/prj_1': () => project,
        'GET /projects/prj_1/versions': () => [version(second, true), version(first, false)],
        [`GET /projects/prj_1/versions/${first}/diff`]: () => ({ sha: first, base: null, files: [file] }),
      },
    )
    const page = await showAt(
      '/app/projects/$projectId/versions',
      () => <VersionPage projectId="prj_1" sha={first} base={undefined} />,
      `/projects/prj_1/versions?sha=${first}`,
    )
    fireEvent.click(await screen.findByRole('button', { name: /^Go back to/ }))
    await screen.findByRole('dialog')
    await waitFor(() =>
      assert.equal(inDialog().getByRole<HTMLButtonElement>('button', { name: /^Go back/ }).disabled, false),
    )
    pressInDialog(/^Go back/)
    await isAsked()
    pressInDialog('Cancel')
    await page.go('/projects/prj_1/code')
    await respond()
    assert.equal(page.place(), '/projects/prj_1/code')
  })
})
