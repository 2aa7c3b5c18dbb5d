import { useEffect, useRef } from 'react'
import { csvLine } from '@slipway/runtime/web/csv.ts'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { EXPORT_RECORDS, readRecordPage, type RecordOrder } from '../../../../api/project/capabilities.ts'
import { notify, notifyFailure } from '../../../../shell/toasts/toasts.ts'
import { dataText } from '../text.en.ts'
import { saveFile } from '../../../../ui/browser/save-file.ts'
import { Button } from '../../../../ui/controls/button.tsx'
import type { CollectionSchema } from '../record-grid.tsx'

import { exportCells, exportColumns } from './csv-records.ts'

const csvText = dataText.csv

/** Exports all records of a collection, loaded or not, in the current order and with the current filters. */
export function CsvExport(props: { projectId: string; info: CollectionSchema; order: RecordOrder }) {
  const { projectId, info, order } = props
  const [count, setCount] = useState(0)
  const stop = useRef(new AbortController())
  useEffect(() => () => stop.current.abort(), [])
  const save = useMutation({
    mutationFn: async () => {
      const { signal } = (stop.current = new AbortController())
      setCount(0)
      // The file starts with a byte order mark, without which spreadsheets misread non-ASCII characters.
      const parts = ['\uFEFF', csvLine(exportColumns(info.fields))]
      let saved = 0
      for (let cursor: string | null = ''; cursor !== null;) {
        const page = await readRecordPage(
          { projectId, collection: info.name },
          { ...order, limit: EXPORT_RECORDS, cursor },
          signal,
        )
        signal.throwIfAborted()
        parts.push(page.items.map((record) => csvLine(exportCells(info.fields, record))).join(''))
        saved += page.items.length
        setCount(saved)
        cursor = page.nextCursor
      }
      saveFile(`${info.name}.csv`, new Blob(parts, { type: 'text/csv;charset=utf-8' }))
      return saved
    },
    onSuccess: (saved) => notify(csvText.outDone(saved)),
    onError: (error) => {
      if (!stop.current.signal.aborted) notifyFailure(error)
    },
  })
  return (
    <div className="flex items-center gap-2">
      {save.isPending && (
        <span role="status" className="text-[13px] text-kumo-subtle">
          {csvText.outBusy(count)}
        </span>
      )}
      {/* One button for both, because a button that is replaced loses the focus. */}
      <Button onClick={() => (save.isPending ? stop.current.abort() : save.mutate())}>
        {save.isPending ? csvText.outStop : csvText.out}
      </Button>
    </div>
  )
}
