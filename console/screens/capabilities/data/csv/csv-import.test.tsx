import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import {
  assertAlert,
  field,
  isShown,
  isThere,
  press,
  Refusal,
  serve,
  show,
  showAt,
  untilSent,
} from '../../../../testing/console.tsx'
import { CsvImport } from './csv-import.tsx'

const info = {
  name: 'plants',
  title: 'Plants',
  partition: 'app' as const,
  fields: [
    { name: 'name', type: 'text', required: true },
    { name: 'size', type: 'integer', required: false },
    { name: 'light', type: 'enum', required: false, values: ['sun', 'shade'] },
  ],
}
const IMPORT_PATH = '/projects/prj_1/capabilities/data/import/plants/app'

interface Batch {
  records: { id: string; fields: { name: string } }[]
  trial: boolean
}

/** Renders the import. By default the fake app refuses records whose name begins with "bad". */
function renderCsvImport(answer?: (batch: Batch) => unknown) {
  const judged = ({ records }: Batch) =>
    records.map(({ id, fields }) => ({
      id,
      problem: fields.name.startsWith('bad') ? { field: 'name', message: 'name: is already taken' } : null,
    }))
  const calls = serve({
    [`POST ${IMPORT_PATH}`]: ({ body }) => answer?.(body as Batch) ?? judged(body as Batch),
  })
  const closed: string[] = []
  show(<CsvImport projectId="prj_1" info={info} onClose={() => closed.push('closed')} />)
  const batches = () => (calls[`POST ${IMPORT_PATH}`] ?? []).map(({ body }) => body as Batch)
  return { batches, closed, judged }
}
const chooseCsv = (text: string) =>
  fireEvent.change(field('CSV file'), { target: { files: [new File([text], 'plants.csv')] } })
const csvRows = (count: number) => Array.from({ length: count }, (_, n) => `Plant ${n}`).join('\n')

describe('importing a CSV file', () => {
  test('a CSV import first shows a dry run with a reason for each refused row, then stores the accepted rows', async () => {
    const { batches } = renderCsvImport()
    chooseCsv('name,size,id\nFern,3,rec_1\nbad twin,1,\nIvy,big,\n')
    await screen.findByText('1 row is valid, 2 rows are refused')
    assert.ok(isShown('name: is already taken') && isShown('Line 3'))
    assert.ok(isShown('Size: Enter a number.') && isShown('Line 4'))
    assert.ok(isShown(/Not imported, because the app sets these itself: id/))
    assert.deepEqual(
      batches().map(({ trial }) => trial),
      [true],
    )
    press('Import 1 row')
    await screen.findByText('1 row was imported')
    const [tried, stored] = batches()
    assert.deepEqual([stored?.trial, stored?.records], [false, tried?.records.slice(0, 1)])
  })

  test('a CSV import accepts choice values in upper or lower case, and lists the allowed values when it refuses one', async () => {
    const { batches } = renderCsvImport()
    chooseCsv('name,light\nFern,Shade\nIvy,dark\n')
    await screen.findByText('1 row is valid, 1 row is refused')
    assert.ok(isShown('Light: This is not one of the choices: sun, shade.'))
    assert.partialDeepStrictEqual(batches()[0]?.records[0]?.fields, { name: 'Fern', light: 'shade' })
  })

  test('a CSV import is sent in batches of 100 and reports rows that are refused after the dry run', async () => {
    let isTwin = false
    const { batches, judged } = renderCsvImport((batch) => {
      const results = judged(batch)
      if (isTwin && results[0]) results[0].problem = { field: 'name', message: 'name: is already taken' }
      return results
    })
    chooseCsv(`name\n${csvRows(230)}`)
    await screen.findByText('230 rows are valid')
    isTwin = true
    press('Import 230 rows')
    await screen.findByText('227 rows were imported')
    assert.ok(isShown('3 rows were refused meanwhile and not imported'))
    assert.deepEqual(
      batches().map(({ records }) => records.length),
      [100, 100, 30, 100, 100, 30],
    )
  })

  test('an interrupted CSV import shows its progress and continues with the same record ids', async () => {
    let failures = 1
    const { batches, judged, closed } = renderCsvImport((batch) => {
      const isSecond = !batch.trial && batch.records[0]?.fields.name === 'Plant 100'
      return isSecond && failures-- > 0 ? new Refusal(400, 'invalid_request', 'Cut off.') : judged(batch)
    })
    chooseCsv(`name\n${csvRows(150)}`)
    await screen.findByText('150 rows are valid')
    press('Import 150 rows')
    await screen.findByText(/interrupted after 100 of 150 rows/)
    press('Continue')
    await screen.findByText('150 rows were imported')
    const stored = batches().filter(({ trial }) => !trial)
    assert.deepEqual(stored[1]?.records, stored[2]?.records)
    press('Close')
    assert.deepEqual(closed, ['closed'])
  })

  test('a CSV file without usable rows or columns is rejected before a request is sent', async () => {
    const { batches } = renderCsvImport()
    for (const [text, words] of [
      ['name,colour\nFern,green', /not fields of this collection.*colour/],
      ['size\n3', /required columns are missing: Name/],
      ['name', /no rows/],
      ['name\n"Fern', /a quote is opened and never closed/],
    ] as const) {
      chooseCsv(text)
      await waitFor(async () => assertAlert(words))
    }
    await untilSent()
    assert.deepEqual(batches(), [])
  })

  test('a CSV file that the browser cannot read is reported', async () => {
    const { batches } = renderCsvImport()
    const file = new File(['name\nFern'], 'plants.csv')
    file.text = () => Promise.reject(new DOMException('changed on disk', 'NotReadableError'))
    fireEvent.change(field('CSV file'), { target: { files: [file] } })
    await assertAlert(/The file could not be read/)
    await untilSent()
    assert.deepEqual(batches(), [])
  })

  test('when two CSV files are chosen in a row, only the second is checked, even when reading the first takes longer', async () => {
    const { batches } = renderCsvImport()
    const first = Promise.withResolvers<string>()
    const slow = new File(['name'], 'slow.csv')
    slow.text = () => first.promise
    fireEvent.change(field('CSV file'), { target: { files: [slow] } })
    chooseCsv('name\nFern\nIvy')
    await screen.findByText('2 rows are valid')
    first.resolve('name\nMoss')
    await untilSent()
    assert.ok(isShown('2 rows are valid'))
    assert.deepEqual(
      batches().flatMap(({ records }) => records.map(({ fields }) => fields.name)),
      ['Fern', 'Ivy'],
    )
  })

  test('an invalid CSV file that takes long to read does not replace the file that was chosen after it', async () => {
    renderCsvImport()
    const first = Promise.withResolvers<string>()
    const slow = new File(['name'], 'slow.csv')
    slow.text = () => first.promise
    fireEvent.change(field('CSV file'), { target: { files: [slow] } })
    chooseCsv('name\nFern')
    await screen.findByText('1 row is valid')
    first.resolve('colour\ngreen')
    await untilSent()
    assert.ok(isShown('1 row is valid') && !isThere('alert'))
  })

  test('a stopped CSV import sends no further batch, and continues with the rows that are left', async () => {
    const second = Promise.withResolvers<void>()
    const { batches, judged } = renderCsvImport((batch) =>
      !batch.trial && batch.records[0]?.fields.name === 'Plant 0'
        ? second.promise.then(() => judged(batch))
        : judged(batch),
    )
    const stored = () => batches().filter(({ trial }) => !trial)
    chooseCsv(`name\n${csvRows(150)}`)
    await screen.findByText('150 rows are valid')
    press('Import 150 rows')
    await waitFor(() => assert.equal(stored().length, 1))
    press('Stop')
    second.resolve()
    await screen.findByText(/interrupted after 100 of 150 rows/)
    await untilSent()
    assert.equal(stored().length, 1)
    press('Continue')
    await screen.findByText('150 rows were imported')
    assert.deepEqual(
      stored().map(({ records }) => records.length),
      [100, 50],
    )
  })

  test('the dialog of a CSV import stays open while rows are being stored, so that its result is shown', async () => {
    const held = Promise.withResolvers<void>()
    const { closed, judged } = renderCsvImport((batch) =>
      batch.trial ? judged(batch) : held.promise.then(() => judged(batch)),
    )
    chooseCsv('name\nFern')
    await screen.findByText('1 row is valid')
    press('Import 1 row')
    await screen.findByText('Imported 0 of 1 rows')
    fireEvent.keyDown(document.activeElement ?? document.body, { key: 'Escape' })
    assert.deepEqual(closed, [])
    held.resolve()
    await screen.findByText('1 row was imported')
  })

  test('the page of a CSV import cannot be left while rows are being stored, so that its result is shown', async () => {
    const held = Promise.withResolvers<unknown[]>()
    serve({
      [`POST ${IMPORT_PATH}`]: ({ body }) => {
        const { records, trial } = body as Batch
        const stored = records.map(({ id }) => ({ id, problem: null }))
        return trial ? stored : held.promise.then(() => stored)
      },
    })
    const importDialog = () => <CsvImport projectId="prj_1" info={info} onClose={() => {}} />
    const page = await showAt('/app/$', importDialog, '/plants')
    chooseCsv('name\nFern')
    await screen.findByText('1 row is valid')
    press('Import 1 row')
    await screen.findByText('Imported 0 of 1 rows')
    await page.go('/elsewhere')
    assert.equal(page.place(), '/plants')
    held.resolve([])
    await screen.findByText('1 row was imported')
    await page.go('/elsewhere')
    assert.equal(page.place(), '/elsewhere')
  })

  test('a CSV row that is missing in the response of the app counts as refused', async () => {
    const { judged } = renderCsvImport((batch) => judged(batch).slice(1))
    chooseCsv('name\nFern\nIvy')
    await screen.findByText('1 row is valid, 1 row is refused')
    assert.ok(isShown('Line 2') && isShown('The record was not saved'))
  })

  test('a CSV file with many refused rows lists the first two hundred and counts the remaining rows', async () => {
    renderCsvImport()
    chooseCsv(`name,size\n${Array.from({ length: 250 }, (_, n) => `Plant ${n},big`).join('\n')}`)
    await screen.findByText('0 rows are valid, 250 rows are refused')
    assert.ok(isShown('Line 201') && !isShown('Line 202') && isShown('and 50 more'))
    assert.ok(!isThere('button', /^Import/))
  })

  test('the same CSV file can be chosen again after it was rejected', () => {
    renderCsvImport()
    const values: string[] = []
    Object.defineProperty(field('CSV file'), 'value', {
      set(value: string) {
        values.push(value)
      },
    })
    fireEvent.click(field('CSV file'))
    assert.deepEqual(values, [''], 'without a value the browser reports the same file as a change')
  })

  test('a failed dry run of a CSV import shows that nothing was stored', async () => {
    const { batches } = renderCsvImport(() => new Refusal(400, 'invalid_request', 'Not now.'))
    chooseCsv('name\nFern')
    await screen.findByText('The check was interrupted. Nothing was stored.')
    assert.equal(batches().length, 1)
  })
})
