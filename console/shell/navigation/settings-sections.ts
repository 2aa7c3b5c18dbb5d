import {
  BuildingsIcon,
  CpuIcon,
  CreditCardIcon,
  type Icon,
  KeyIcon,
  LightbulbIcon,
  PlugsConnectedIcon,
  ShieldCheckIcon,
  UsersIcon,
  WebhooksLogoIcon,
} from '@phosphor-icons/react'
import { href } from '../../routes.ts'
import { settingsText } from '../../text/settings.en.ts'

interface SettingsSection {
  to: string
  label: string
  icon: Icon
}

/** The pages of the organization's settings. The settings' own navigation and the command palette list them in this order. */
export const SETTINGS_SECTIONS: SettingsSection[] = [
  { to: href.organization(), label: settingsText.sections.organization, icon: BuildingsIcon },
  { to: href.members(), label: settingsText.sections.members, icon: UsersIcon },
  { to: href.models(), label: settingsText.sections.models, icon: CpuIcon },
  { to: href.connections(), label: settingsText.sections.connections, icon: PlugsConnectedIcon },
  { to: href.keys(), label: settingsText.sections.keys, icon: KeyIcon },
  { to: href.webhooks(), label: settingsText.sections.webhooks, icon: WebhooksLogoIcon },
  { to: href.ingest(), label: settingsText.sections.ingest, icon: LightbulbIcon },
  { to: href.security(), label: settingsText.sections.security, icon: ShieldCheckIcon },
  { to: href.billing(), label: settingsText.sections.billing, icon: CreditCardIcon },
]
