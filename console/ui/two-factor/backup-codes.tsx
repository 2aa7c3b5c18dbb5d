import { DownloadSimpleIcon } from '@phosphor-icons/react'
import { twoFactorText as words } from '../../text/two-factor.en.ts'
import { CopyButton } from '../controls/copy-button.tsx'
import { saveFile } from '../browser/save-file.ts'
import { useStayOnPage } from '../browser/use-stay-on-page.ts'
import { Button } from '../controls/button.tsx'

/** Shows backup codes to copy or download. They are shown only once, so the page stays open. */
export function BackupCodes({ codes }: { codes: string[] }) {
  useStayOnPage(true)
  const all = codes.join('\n')
  return (
    <div className="rounded-lg bg-kumo-recessed p-3 ring-1 ring-kumo-line">
      <ul className="grid grid-cols-2 gap-x-6 gap-y-1 px-1 font-mono text-[13px]">
        {codes.map((code) => (
          <li key={code} className="break-all">
            {code}
          </li>
        ))}
      </ul>
      <div className="mt-2 flex items-center gap-1 border-t border-kumo-line pt-2">
        <Button
          size="sm"
          variant="ghost"
          icon={<DownloadSimpleIcon />}
          onClick={() => saveFile(words.fileName, new Blob([`${all}\n`], { type: 'text/plain' }))}
        >
          {words.saveCodes}
        </Button>
        <CopyButton value={all} label={words.copyCodes} />
      </div>
    </div>
  )
}
