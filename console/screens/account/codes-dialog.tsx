import { Dialog } from '@cloudflare/kumo/components/dialog'
import { accountText } from '../../text/account.en.ts'
import { BackupCodes } from '../../ui/two-factor/backup-codes.tsx'
import { Button } from '../../ui/controls/button.tsx'

const words = accountText.twoFactor

/** New backup codes, shown this one time. */
export function CodesDialog({ codes, onClose }: { codes: string[]; onClose: () => void }) {
  return (
    // Without onOpenChange: Escape would lose the codes, and those before them no longer work.
    <Dialog.Root open>
      <Dialog size="base" className="flex w-full flex-col gap-4 p-6">
        <Dialog.Title className="text-[18px] font-semibold text-kumo-strong">{words.renewed}</Dialog.Title>
        <Dialog.Description className="text-kumo-subtle">{words.renewedHint}</Dialog.Description>
        <BackupCodes codes={codes} />
        <div className="flex justify-end">
          <Button variant="primary" onClick={onClose}>
            {words.saved}
          </Button>
        </div>
      </Dialog>
    </Dialog.Root>
  )
}
