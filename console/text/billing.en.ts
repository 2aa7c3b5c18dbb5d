import { countOf } from '../lib/format.ts'

const planNames = { free: 'Free', starter: 'Starter', pro: 'Pro', enterprise: 'Enterprise' }
type PlanName = keyof typeof planNames

export const billingText = {
  title: 'Plan and usage',
  lead: 'What the organization may use, how much of it is used, and how it is paid for.',
  plans: planNames,
  current: (plan: PlanName) => `${planNames[plan]} plan`,
  free: 'This plan is free of charge.',
  kept: (day: string) => `Kept until ${day}.`,
  renews: (day: string) => `Renews on ${day}.`,
  ends: (day: string) => `Cancelled. It ends on ${day}; what is live keeps running.`,
  enterprise: 'The operator of this service manages it.',
  paidBeside: (plan: PlanName) =>
    `A subscription to ${planNames[plan]} is still paid for. Cancel it in the portal.`,
  portal: 'Invoices, card and cancellation',
  overdue: {
    title: 'The last payment failed',
    sentence: (plan: PlanName, day: string) =>
      `Pay the open invoice or change the card. ${planNames[plan]} stays until ${day}. After that it ends: what is live keeps running, and further projects cannot go live.`,
    lapsed: (plan: PlanName) =>
      `${planNames[plan]} has ended for now: what is live keeps running. Pay the open invoice to have it back.`,
    pay: 'Pay or change the card',
  },
  returned: {
    waiting: 'Waiting for Stripe to confirm the payment',
    waitingHint: 'This page changes by itself, usually within seconds.',
    done: (plan: PlanName) => `The organization is on ${planNames[plan]}`,
    cancelled: 'Nothing was paid',
    cancelledHint: 'The checkout was left, and the plan is as it was.',
  },
  usage: {
    title: 'Usage',
    projects: 'Projects',
    liveProjects: 'Live projects',
    builds: 'Builds in the last hour',
    of: (used: number, limit: number) =>
      `${used.toLocaleString('en')} of ${limit.toLocaleString('en')}, ${Math.max(0, limit - used).toLocaleString('en')} left`,
    unlimited: (used: number) => `${used.toLocaleString('en')}, no limit`,
    over: 'More are live than the plan allows. All keep running; shipping another one is refused.',
  },
  offers: {
    title: 'Plans',
    allows: (one: { projects: number; liveProjects: number; buildsPerHour: number }) =>
      `${countOf(one.projects, 'project')}, ${one.liveProjects} live, ${one.buildsPerHour.toLocaleString('en')} builds an hour, domains of your own`,
    choose: (plan: PlanName) => `Choose ${planNames[plan]}`,
    current: 'Current plan',
    price: 'Stripe shows the price before you pay.',
  },
  failed: 'The page could not be opened',
  adminsOnly: 'Only owners and admins can change the plan.',
  payFirst: 'Pay the open invoice first.',
  unmanaged: 'The plan is set by the operator',
  unmanagedHint: (plan: PlanName) =>
    `It is ${planNames[plan]}, and there is nothing to pay here. Ask the person who runs this service to change it.`,
}
