import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Asset } from '@slipway/sdk/client/types.gen.ts'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import {
  assertAlert,
  field,
  isShown,
  press,
  Refusal,
  serve,
  show,
  showAt,
  untilSent,
  write,
} from '../../testing/console.tsx'
import { AccessDialog } from './access-dialog.tsx'
import { AssetRow } from './asset-row.tsx'
import { Assets } from './assets.tsx'

const ASSETS_PATH = '/projects/prj_1/assets'
const assetAt = (path: string, part: Partial<Asset> = {}): Asset => ({
  path,
  name: path,
  size: 1234,
  contentType: 'image/png',
  access: { kind: 'public' },
  url: null,
  createdAt: '2026-01-01T00:00:00Z',
  ...part,
})

describe('the assets of an app', () => {
  const LIST = `GET ${ASSETS_PATH}`
  const INIT = `POST ${ASSETS_PATH}/upload-init`
  const PROJECT = 'GET /projects/prj_1'
  const project = { id: 'prj_1', name: 'Plants' }

  async function open(list: () => unknown, answers: Record<string, () => unknown> = {}) {
    const calls = serve({
      [LIST]: list,
      [PROJECT]: () => project,
      ...answers,
    })
    await showAt('/app/projects/$projectId/assets', Assets, ASSETS_PATH)
    return (key: string) => calls[key]?.map(({ body }) => body)
  }
  const choose = (...files: File[]) => fireEvent.change(field('Choose files'), { target: { files } })
  const png = (name: string, content = 'x') => new File([content], name, { type: 'image/png' })

  test('the assets page of a project without assets says that there are none, and has no search field', async () => {
    await open(() => [])
    await screen.findByText('No assets yet')
    assert.ok(screen.queryByRole('searchbox') === null)
  })

  test('a list of assets that failed to load shows an error instead of an empty list, and can be retried', async () => {
    const answers = [new Refusal(403, 'forbidden', 'You may not.'), [assetAt('logo.png')]]
    await open(() => answers.shift())
    await assertAlert(/You may not/)
    assert.ok(!isShown('No assets yet'))
    press('Try again')
    await screen.findByText('logo.png')
  })

  test('a search filters the assets and shows the number of matches, and markup in a file name is shown as text', async () => {
    const hostile = '<img src=x onerror=alert(1)>.png'
    await open(() => [assetAt('img/logo.png'), assetAt(hostile)])
    await screen.findByText('2 assets')
    assert.ok(isShown(hostile))
    fireEvent.change(screen.getByRole('searchbox'), { target: { value: ' LOGO ' } })
    await screen.findByText('1 asset')
    assert.ok(!isShown(hostile))
    fireEvent.change(screen.getByRole('searchbox'), { target: { value: 'nothing' } })
    await screen.findByText('No asset has “nothing” in its path')
  })

  test('of several uploaded files only the valid ones are sent, and each invalid one is named with the reason', async () => {
    const sent = await open(() => [], {
      [INIT]: () => new Refusal(409, 'conflict', 'Connect an account first.'),
    })
    await screen.findByText('No assets yet')
    write('Folder', '/img//2026/')
    choose(png('empty.png', ''), png('logo.png'))
    const refused = (await screen.findByText(/is empty/)).closest('[role=alert]')
    assert.match(refused?.textContent ?? '', /empty\.png is empty/)
    await waitFor(() => assert.equal(sent(INIT)?.length, 1))
    assert.partialDeepStrictEqual(sent(INIT)?.[0], { path: 'img/2026/logo.png', size: 1 })
  })

  test('of two files whose names become the same path, only the first is uploaded, and the second is named with the reason', async () => {
    const { promise } = Promise.withResolvers<unknown>()
    const sent = await open(() => [], { [INIT]: () => promise })
    await screen.findByText('No assets yet')
    choose(png('a?.png'), png('a*.png'))
    await assertAlert(/a\*\.png has the same path/)
    await waitFor(() => assert.equal(sent(INIT)?.length, 1))
    choose(png('a:.png'), png('b.png'))
    await assertAlert(/a:\.png has the same path/)
    await waitFor(() => assert.equal(sent(INIT)?.length, 2))
    assert.deepEqual(
      sent(INIT)?.map((body) => (body as { path: string }).path),
      ['a-.png', 'b.png'],
    )
  })

  test('a new selection of files replaces the list of refused files, even when a file is refused in both selections', async () => {
    await open(() => [])
    await screen.findByText('No assets yet')
    const refused = () =>
      [...screen.getByRole('alert').querySelectorAll('li')].map((line) => line.textContent?.split(' ')[0])
    choose(png('a.png', ''), png('a.png', ''))
    assert.deepEqual(refused(), ['a.png', 'a.png'])
    choose(png('b.png', ''), png('a.png', ''))
    assert.deepEqual(refused(), ['b.png', 'a.png'])
  })

  test('a failed upload of an asset shows the error and can be retried or removed from the list', async () => {
    const sent = await open(() => [], {
      [INIT]: () => new Refusal(409, 'conflict', 'Connect an account first.'),
    })
    await screen.findByText('No assets yet')
    choose(png('logo.png'))
    await assertAlert(/Connect an account first/)
    press('Upload logo.png again')
    await waitFor(() => assert.equal(sent(INIT)?.length, 2))
    await assertAlert(/Connect an account first/)
    press('Take logo.png off the list')
    assert.ok(screen.queryByRole('alert') === null)
  })

  test('leaving the assets page aborts its running uploads', async () => {
    const aborted: boolean[] = []
    const { promise } = Promise.withResolvers<unknown>()
    const calls = serve({ [LIST]: () => [], [PROJECT]: () => project, [INIT]: () => promise })
    const served = globalThis.fetch
    globalThis.fetch = (input, init) => {
      if (input instanceof Request && input.method === 'POST')
        input.signal.addEventListener('abort', () => aborted.push(true))
      return served(input, init)
    }
    const { go } = await showAt('/app/projects/$projectId/assets', Assets, ASSETS_PATH)
    await screen.findByText('No assets yet')
    choose(png('a.png'), png('b.png'))
    await waitFor(() => assert.equal(calls[INIT]?.length, 2))
    await go('/activity')
    assert.deepEqual(aborted, [true, true])
  })
})

describe('who may see an asset', () => {
  const SET = `PATCH ${ASSETS_PATH}/logo.png`

  function open(answer: () => unknown, access: Asset['access'] = { kind: 'public' }) {
    const closed: string[] = []
    const calls = serve({ [SET]: answer })
    const onClose = () => closed.push('closed')
    show(<AccessDialog projectId="prj_1" asset={assetAt('logo.png', { access })} onClose={onClose} />)
    return { closed, sent: () => calls[SET]?.map(({ body }) => body) }
  }
  const choice = (name: RegExp) => screen.getByRole<HTMLInputElement>('radio', { name })

  test('asset access for buyers only is not saved before a product id is entered, and the empty field takes the focus', async () => {
    const { closed, sent } = open(() => assetAt('logo.png'))
    fireEvent.click(choice(/Buyers/))
    press('Save access')
    assert.ok(isShown('Enter the id of the product.'))
    assert.ok(document.activeElement === field('Product id'))
    await untilSent()
    assert.deepEqual(sent(), [])
    write('Product id', ' prod_1 ')
    press('Save access')
    await waitFor(() => assert.deepEqual(closed, ['closed']))
    assert.deepEqual(sent(), [{ access: { kind: 'product', productId: 'prod_1' } }])
  })

  test('a refused change of asset access keeps the dialog open with the chosen option', async () => {
    const { closed } = open(() => new Refusal(409, 'conflict', 'Accounts are off.'))
    fireEvent.click(choice(/Members/))
    press('Save access')
    await assertAlert(/The access was not changed.*Accounts are off/)
    assert.deepEqual([choice(/Members/).checked, closed.length], [true, 0])
  })

  test('a product id is not sent when the asset access is changed from buyers to everyone', async () => {
    const { sent, closed } = open(() => assetAt('logo.png'), { kind: 'product', productId: 'prod_1' })
    assert.equal(field('Product id').value, 'prod_1')
    fireEvent.click(choice(/Everyone/))
    press('Save access')
    await waitFor(() => assert.equal(closed.length, 1))
    assert.deepEqual(sent(), [{ access: { kind: 'public' } }])
  })
})

describe('an asset in the list', () => {
  test('an asset links to its URL only when the app serves it, and deleting the asset asks for confirmation', async () => {
    const url = 'https://plants.example.com/_app/assets/logo.png'
    const calls = serve({ [`DELETE ${ASSETS_PATH}/logo.png`]: () => null })
    show(<AssetRow projectId="prj_1" asset={assetAt('logo.png', { url })} />)
    show(<AssetRow projectId="prj_1" asset={assetAt('other.png')} />)
    assert.deepEqual(
      screen.getAllByRole('link').map((link) => [link.getAttribute('href'), link.getAttribute('rel')]),
      [[url, 'noopener noreferrer']],
    )
    press('Delete logo.png')
    const dialog = await screen.findByRole('dialog', { name: 'Delete logo.png?' })
    await untilSent()
    assert.deepEqual(calls[`DELETE ${ASSETS_PATH}/logo.png`], [])
    within(dialog).getByRole('button', { name: 'Delete asset' }).click()
    await waitFor(() => assert.equal(calls[`DELETE ${ASSETS_PATH}/logo.png`]?.length, 1))
    await waitFor(() => assert.ok(screen.queryByRole('dialog') === null))
  })
})
