import { Dialog } from '@cloudflare/kumo/components/dialog'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useId, useRef, useState } from 'react'
import { changedBy, invalidateAll } from '../../../../api/query-keys.ts'
import { dataText } from '../text.en.ts'
import { Button } from '../../../../ui/controls/button.tsx'
import { useStayOnPage } from '../../../../ui/browser/use-stay-on-page.ts'
import { FailureNote } from '../../../../ui/page/failure.tsx'
import { fieldLabel } from '../record-fields.ts'
import type { CollectionSchema } from '../record-grid.tsx'
import { parseCsv } from './csv.ts'
import { readRows } from './csv-records.ts'
import { type ImportRow, rowReason, type RefusedRow, sendRows, withIds } from './import-run.ts'

const csvText = dataText.csv
const FILE_BYTES_MAX = 20 * 1024 * 1024
const REFUSED_ROWS_SHOWN_MAX = 200

/**
 * The phase of an import. `rows` are the valid rows that are not stored yet, `done` counts the rows that were
 * sent.
 */
type ImportPhase =
  | { is: 'choose'; problem?: string; error?: unknown }
  | { is: 'checking'; done: number; of: number }
  | { is: 'ready'; rows: ImportRow[]; refused: RefusedRow[]; ignored: string[] }
  | { is: 'importing'; done: number; of: number }
  | { is: 'stopped'; rows: ImportRow[]; sent: number; of: number; refused: RefusedRow[]; error: unknown }
  | { is: 'done'; count: number; refused: RefusedRow[] }

/** Imports a CSV file. A dry run shows the valid and the invalid rows; then the valid rows are stored. */
export function CsvImport(props: { projectId: string; info: CollectionSchema; onClose: () => void }) {
  const { projectId, info, onClose } = props
  const client = useQueryClient()
  const [phase, setPhase] = useState<ImportPhase>({ is: 'choose' })
  const stop = useRef(new AbortController())
  useEffect(() => () => stop.current.abort(), [])
  const target = { projectId, collection: info.name }

  async function check(file: File) {
    stop.current.abort()
    const { signal } = (stop.current = new AbortController())
    const read = await readFile(file, info)
    // While a large file was being read, another one was chosen, or the dialog was closed.
    if (signal.aborted) return
    if (typeof read === 'string') return setPhase({ is: 'choose', problem: read })
    const rows = withIds(read.rows)
    const of = rows.length
    const refused: RefusedRow[] = read.bad.map((bad) => ({
      line: bad.line,
      reason: rowReason(bad, info.fields),
    }))
    const bad = new Set<string>()
    let done = 0
    setPhase({ is: 'checking', done, of })
    try {
      await sendRows(target, rows, {
        trial: true,
        signal,
        onSent: (sent) => {
          refused.push(...sent.refused)
          for (const { id } of sent.refused) bad.add(id)
          done += sent.batch.length
          setPhase({ is: 'checking', done, of })
        },
      })
      const fine = rows.filter(({ id }) => !bad.has(id))
      setPhase({ is: 'ready', rows: fine, refused: sortByLine(refused), ignored: read.ignored })
    } catch (error) {
      // The dry run is aborted when the dialog is closed. There is then no state to update.
      if (!signal.aborted) setPhase({ is: 'choose', problem: csvText.failedCheck, error })
    }
  }

  async function store(rows: ImportRow[], before: { sent: number; of: number; refused: RefusedRow[] }) {
    const { signal } = (stop.current = new AbortController())
    const { of } = before
    const refused = [...before.refused]
    let rest = rows
    const sentNow = () => before.sent + rows.length - rest.length
    setPhase({ is: 'importing', done: before.sent, of })
    try {
      await sendRows(target, rows, {
        trial: false,
        signal,
        onSent: (sent) => {
          refused.push(...sent.refused)
          rest = rest.slice(sent.batch.length)
          setPhase({ is: 'importing', done: sentNow(), of })
        },
      })
      setPhase({ is: 'done', count: of - refused.length, refused: sortByLine(refused) })
    } catch (error) {
      setPhase({
        is: 'stopped',
        rows: rest,
        sent: sentNow(),
        of,
        refused,
        error: signal.aborted ? null : error,
      })
    }
    await invalidateAll(client, changedBy.recordChange(projectId, info.name))
  }

  // The dialog and its page stay open while rows are being stored, so that the result is always shown.
  useStayOnPage(phase.is === 'importing')
  const close = () => phase.is !== 'importing' && onClose()
  return (
    <Dialog.Root open onOpenChange={(open) => !open && close()}>
      <Dialog size="lg" className="flex max-h-[92dvh] w-full flex-col gap-4 overflow-y-auto p-6">
        <Dialog.Title className="text-[18px] font-semibold text-kumo-strong">
          {csvText.inTitle(info.title)}
        </Dialog.Title>
        <Dialog.Description className="text-kumo-subtle">{csvText.inLead}</Dialog.Description>
        {phase.is === 'choose' && (
          <ChooseFile info={info} phase={phase} onFile={(file) => void check(file)} />
        )}
        {phase.is === 'checking' && (
          <ImportProgress words={csvText.checking(phase.done, phase.of)} {...phase} />
        )}
        {phase.is === 'importing' && (
          <ImportProgress words={csvText.importing(phase.done, phase.of)} {...phase} />
        )}
        {phase.is === 'ready' && <ReadyToImport phase={phase} />}
        {phase.is === 'stopped' && (
          <>
            <p role="alert">{csvText.failedImport(phase.sent, phase.of)}</p>
            {phase.error !== null && <FailureNote error={phase.error} />}
          </>
        )}
        {phase.is === 'done' && (
          <>
            <p role="status" className="font-medium">
              {csvText.done(phase.count)}
            </p>
            {phase.refused.length > 0 && <p>{csvText.doneRefused(phase.refused.length)}</p>}
            <RefusedRows refused={phase.refused} />
          </>
        )}
        <div className="flex flex-wrap justify-end gap-2">
          {phase.is === 'importing' ? (
            <Button variant="secondary" onClick={() => stop.current.abort()}>
              {csvText.outStop}
            </Button>
          ) : (
            <Button variant={phase.is === 'done' ? 'primary' : 'secondary'} onClick={onClose}>
              {csvText.close}
            </Button>
          )}
          {phase.is === 'ready' && (
            <Button variant="secondary" onClick={() => setPhase({ is: 'choose' })}>
              {csvText.another}
            </Button>
          )}
          {phase.is === 'ready' && phase.rows.length > 0 && (
            <Button
              variant="primary"
              onClick={() => void store(phase.rows, { sent: 0, of: phase.rows.length, refused: [] })}
            >
              {csvText.import(phase.rows.length)}
            </Button>
          )}
          {phase.is === 'stopped' && (
            <Button variant="primary" onClick={() => void store(phase.rows, phase)}>
              {csvText.goOn}
            </Button>
          )}
        </div>
      </Dialog>
    </Dialog.Root>
  )
}

const sortByLine = (refused: RefusedRow[]) => refused.toSorted((a, b) => a.line - b.line)

/** Returns the rows of a file, or the reason why it cannot be imported. */
async function readFile(file: File, info: CollectionSchema) {
  if (file.size > FILE_BYTES_MAX) return csvText.tooLarge
  // The browser refuses to read a file that was changed or removed after it was chosen.
  const text = await file.text().catch(() => null)
  if (text === null) return csvText.notRead
  const rows = parseCsv(text)
  if (rows === null) return csvText.unreadable
  const read = readRows(rows, info.fields)
  switch (read.is) {
    case 'empty':
      return csvText.empty
    case 'columns':
      return csvText.unknownColumns(read.unknown.join(', '))
    case 'missing':
      return csvText.missingColumns(read.fields.join(', '))
    case 'rows':
      return read
  }
}

function ChooseFile(props: {
  info: CollectionSchema
  phase: { problem?: string; error?: unknown }
  onFile: (file: File) => void
}) {
  const { info, phase } = props
  const id = useId()
  const required = info.fields.filter((one) => one.required && (one.default ?? null) === null)
  return (
    <div className="space-y-3">
      <p>{csvText.inColumns(info.fields.map(fieldLabel).join(', '))}</p>
      {required.length > 0 && <p>{csvText.inRequired(required.map(fieldLabel).join(', '))}</p>}
      <div className="space-y-1.5">
        <label htmlFor={id} className="block font-medium">
          {csvText.file}
        </label>
        <input
          id={id}
          type="file"
          accept=".csv,text/csv"
          aria-describedby={phase.problem === undefined ? undefined : `${id}-problem`}
          // Clear the value: choosing a corrected file of the same name would otherwise fire no event.
          onClick={(event) => {
            event.currentTarget.value = ''
          }}
          onChange={(event) => {
            const [file] = event.target.files ?? []
            if (file !== undefined) props.onFile(file)
          }}
          className="block w-full cursor-pointer rounded-lg bg-kumo-control p-2 ring-1 ring-kumo-line"
        />
      </div>
      {phase.problem !== undefined && (
        <p id={`${id}-problem`} role="alert" className="text-removed">
          {phase.problem}
        </p>
      )}
      {phase.error !== undefined && <FailureNote error={phase.error} />}
    </div>
  )
}

const ImportProgress = (props: { words: string; done: number; of: number }) => (
  <div className="space-y-2">
    <p role="status">{props.words}</p>
    <progress
      className="h-2 w-full accent-tide"
      aria-label={props.words}
      max={props.of || 1}
      value={props.done}
    />
  </div>
)

function ReadyToImport({ phase }: { phase: Extract<ImportPhase, { is: 'ready' }> }) {
  return (
    <div className="space-y-3">
      <p role="status" className="font-medium">
        {csvText.fine(phase.rows.length)}
        {phase.refused.length > 0 && `, ${csvText.refused(phase.refused.length)}`}
      </p>
      {phase.ignored.length > 0 && (
        <p className="text-[13px] text-kumo-subtle">{csvText.ignored(phase.ignored.join(', '))}</p>
      )}
      <RefusedRows refused={phase.refused} />
    </div>
  )
}

function RefusedRows({ refused }: { refused: RefusedRow[] }) {
  if (refused.length === 0) return null
  return (
    <ul
      aria-label={csvText.refusedList}
      // Makes the list focusable, so that it can be scrolled with the keyboard.
      tabIndex={0}
      className="max-h-64 divide-y divide-kumo-line overflow-y-auto rounded-lg ring-1 ring-kumo-line"
    >
      {refused.slice(0, REFUSED_ROWS_SHOWN_MAX).map(({ line, reason }) => (
        <li key={line} className="flex gap-3 px-3 py-2">
          <span className="w-20 shrink-0 text-kumo-subtle">{csvText.line(line)}</span>
          <span className="min-w-0 break-words">{reason}</span>
        </li>
      ))}
      {refused.length > REFUSED_ROWS_SHOWN_MAX && (
        <li className="px-3 py-2 text-kumo-subtle">
          {csvText.moreRefused(refused.length - REFUSED_ROWS_SHOWN_MAX)}
        </li>
      )}
    </ul>
  )
}
