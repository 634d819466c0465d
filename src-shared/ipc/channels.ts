/** Every request that the page can make; noun:verb. */
export const channels = [
  'app:info',
  'attention:estimate',
  'decode:estimate',
  'decode:sweep',
  'decode:cancel',
  'decode:save',
  'draft:load',
  'draft:keep',
  'experiment:start',
  'experiment:list',
  'experiment:get',
  'experiment:rename',
  'experiment:annotate',
  'experiment:trash',
  'experiment:restore',
  'experiment:delete',
  'event:activity',
  'event:timeline',
  'job:cancel',
  'job:list',
  'report:export',
] as const

export type Channel = (typeof channels)[number]
