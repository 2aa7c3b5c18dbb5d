import { CopyButton } from '../controls/copy-button.tsx'
import { text } from '../../text/en.ts'

export function ShowOnceSecret({ label, value }: { label: string; value: string }) {
  return (
    <div className="space-y-1">
      <p className="text-[13px] font-medium">{label}</p>
      <div className="flex items-center gap-1 rounded-lg bg-kumo-recessed py-1 pr-1 pl-3 ring-1 ring-kumo-line">
        <code className="min-w-0 flex-1 py-1 font-mono text-xs leading-relaxed break-all">{value}</code>
        <CopyButton value={value} label={`${text.common.copy}: ${label}`} />
      </div>
    </div>
  )
}
