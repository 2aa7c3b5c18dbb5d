import { CheckIcon, WarningIcon } from '@phosphor-icons/react'
import type { DnsRecord } from './query.ts'
import { emailText as words } from './text.en.ts'
import { CopyButton } from '../../../ui/controls/copy-button.tsx'

/** Lists the DNS records of a sending domain, the missing ones first, with buttons to copy their values. */
export function DnsRecords({ records }: { records: DnsRecord[] }) {
  const inOrder = records.toSorted((a, b) => Number(a.present) - Number(b.present))
  return (
    <div className="space-y-2">
      <h3 className="font-medium text-kumo-strong">{words.records}</h3>
      <ul className="divide-y divide-kumo-line rounded-lg text-[13px] ring-1 ring-kumo-line">
        {inOrder.map((record) => (
          <li key={`${record.type} ${record.name} ${record.value}`} className="space-y-1 px-3 py-2">
            <p className="flex flex-wrap items-center gap-x-2 font-medium text-kumo-strong">
              {record.present ? (
                <CheckIcon className="shrink-0 text-added" aria-hidden="true" />
              ) : (
                <WarningIcon className="shrink-0 text-kumo-danger" aria-hidden="true" />
              )}
              {record.type}
              <span className="font-normal text-kumo-subtle">
                {record.present ? words.present : words.absent}
                {record.priority === undefined ? '' : ` · ${words.priority(record.priority)}`}
              </span>
            </p>
            <CopyableValue value={record.name} label={words.copyName(record.type, record.name)} />
            {!record.present && (
              <CopyableValue value={record.value} label={words.copyValue(record.type, record.name)} />
            )}
          </li>
        ))}
      </ul>
    </div>
  )
}

function CopyableValue({ value, label }: { value: string; label: string }) {
  return (
    <p className="flex items-center justify-between gap-2">
      <code className="min-w-0 font-mono break-all">{value}</code>
      <CopyButton value={value} label={label} />
    </p>
  )
}
