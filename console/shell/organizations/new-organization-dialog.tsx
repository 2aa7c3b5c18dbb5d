import { Dialog } from '@cloudflare/kumo/components/dialog'
import { text } from '../../text/en.ts'
import { organizationsText as words } from '../../text/organizations.en.ts'
import { NewOrganization } from './new-organization.tsx'
import { Button } from '../../ui/controls/button.tsx'
import { FormDialog } from '../../ui/dialogs/form-dialog.tsx'

/** The dialog around `NewOrganization`. The page without any organization shows the form without a dialog. */
export function NewOrganizationDialog({ onClose }: { onClose: () => void }) {
  return (
    <FormDialog size="base" className="flex w-full flex-col gap-4 p-6" onClose={onClose}>
      <Dialog.Title className="text-[18px] font-semibold text-kumo-strong">{words.createTitle}</Dialog.Title>
      <Dialog.Description className="text-kumo-subtle">{words.createLead}</Dialog.Description>
      <NewOrganization
        cancel={
          <Button type="button" variant="secondary" onClick={onClose}>
            {text.common.cancel}
          </Button>
        }
      />
    </FormDialog>
  )
}
