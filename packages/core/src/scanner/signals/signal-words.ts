/** Words and short phrases that mean the same to an attack. Alternatives are separated by `|`. */
interface SignalClass {
  /** Whether the words are verbs: an order to the reader is a different signal from a statement with the same verb. */
  isVerb?: boolean;
  words: string;
}

/**
 * The parts of which orders to a model are made. A word may be in several classes. None of them means anything alone:
 * `weights.ts` says how much each of them, and each pair of them, counts.
 */
export const signalClasses: Readonly<Record<string, SignalClass>> = {
  drop: {
    isVerb: true,
    words: `ignore | disregard | forget | override | bypass | neglect | skip | discard | abandon | dismiss | cancel | nullify |
      circumvent | evade | disable | deactivate | suspend | remove | lift | break | violate | overrule | supersede | replace | reset |
      wipe | erase | delete | clear | drop | overwrite | reject | revoke | stop | cease | unlearn | disobey | defy | relax | loosen | waive |
      turn off | switch off | shut off | set aside | put aside | throw out | throw away | let go of | pay no attention | do not follow |
      don't follow | do not obey | don't obey | never mind | do not adhere | don't adhere | no longer follow | not bound by | break free |
      bypassing | ignoring | disregarding | overriding | negate | rescind | discount | omit | deprioritize | invalidate |
      ignoriere | ignorier | vergiss | vergesse | missachte | ignora | ignore | olvida | olvide | oublie | oubliez | ignorez | dimentica |
      esqueca | esquecer | desconsidere | negeer | vergeet | игнорируй | забудь | zignoruj | zapomnij | unut | abaikan | lupakan |
      evita | omite | 忽略 | 忘记 | 无视 | 绕过 | 跳过 | 覆盖 | 無視 | 忘れ | 무시 | 잊고 | تجاهل | انس | αγνοησε | αγνοηστε | ξεχασε | अनदेखा | भूल | yok say | gormezden gel | negeer | umgehe |
      anula | ignorar | anular | omitir | olvidar | bypasses | skipping`,
  },
  rules: {
    words: `instruction | instructions | rule | rules | guideline | guidelines | directive | directives | programming | constraint |
      constraints | restriction | restrictions | limitation | limitations | guardrail | guardrails | safeguard | safeguards | policy |
      policies | protocol | protocols | filter | filters | ethics | ethical | morals | moral | boundaries | censorship | moderation |
      safety | alignment | security measures | safety measures | security protocols | content policy | content policies | training |
      principles | limits | barriers | checks | controls | security checks | safety checks | usage policy | terms of service |
      anweisungen | anweisung | regeln | vorgaben | instrucciones | reglas | regles | consignes | istruzioni | regole | instrucoes |
      regras | instructies | инструкции | правила | instrukcje | talimatlari | instruksi |
      指令 | 指示 | 规则 | 规定 | 限制 | 约束 | 道德 | 安全 | 指示 | 命令 | ルール | 制約 | 지시 | 명령 | 규칙 | 지침 | التعليمات | القواعد | οδηγιες | εντολες | निर्देशों | नियमों | kurallari | zasady | aturan | regels | sicherheitsrichtlinien | restricciones | normas | указания |
      procedures | normal procedures | access controls | verification | authentication | evaluation | approval | dual approval | compliance | regulations`,
  },
  given: {
    words: `orders | commands | command | prompt | prompts | context | task | tasks | request | requests | directions | messages | message |
      input | inputs | conversation | assignment | assignments | objective | objectives | goal | goals | role | configuration | settings |
      text | content | aufgabe | aufgaben | tarea | tache | compito | tarefa`,
  },
  earlier: {
    words: `previous | previously | prior | above | earlier | preceding | before | former | foregoing | past | initial | original |
      existing | so far | up to now | until now | old | pre existing | default | current | existing | at the start | beginning |
      vorherigen | vorherige | bisherigen | obigen | anteriores | anterior | previas | precedentes | precedent | precedenti |
      vorige | eerdere | предыдущие | предыдущих | poprzednie | onceki | sebelumnya |
      之前 | 以上 | 上面 | 先前 | これまで | 以前 | 上記 | 이전 | 위의 | السابقة | أعلاه | προηγουμενες | पिछले | yukaridaki | wczesniejsze | di atas`,
  },
  all: {
    words: `all | any | every | everything | anything | whatever | entire | entirely | each | complete | completely | full | fully | whole |
      alle | alles | todas | todo | todas las | tout | toutes | tutto | tutte | tudo | все | всё |
      所有 | 全部 | 一切 | すべて | 全て | 모든 | جميع | كل | ολες | सभी | tum | wszystkie | semua`,
  },
  model: {
    words: `ai | llm | llms | ais | assistant | assistants | language model | language models | chatbot | chatbots | chatgpt | gpt | claude |
      gemini | copilot | bot | agent | agents | ai model | ai models | ai agent | ai agents | ai assistant | ai assistants | virtual assistant |
      artificial intelligence | large language model | gpt4 | llama | bard | bing | grok | mistral | deepseek | siri | alexa | cursor |
      ki | ia | ki assistent | asistente | нейросеть | ассистент`,
  },
  you: {
    words:
      "you | your | yours | yourself | you're | you'll | you've | u | ur | du | dein | deine | tu | tus | vous | vos | ты | вы",
  },
  become: {
    isVerb: true,
    words: `you are now | you're now | you are no longer | you will now | you will be | you shall be | you have been | you have become |
      you will act | you will play | you will respond as | you will answer as | you are going to | you must act | you must now | act as | act like |
      act as if | pretend | pretend to be | pretend you | roleplay | role play | roleplaying | imagine | imagine you | simulate | emulate |
      impersonate | behave | behave as | behave like | assume the | adopt the | adopt a | take on | play the | play a | become | embody |
      transform into | switch to | switch into | enter | respond as | answer as | speak as | stay in character | remain in character |
      your new name | your name is | call yourself | you operate as | you are operating | you are going by | let's play | let us play |
      suppose you | from now on you | henceforth you | consider yourself | identify as | tu es maintenant | eres ahora | ahora eres |
      du bist jetzt | du bist nun | sei ora | voce agora e | agora voce e | ты теперь |
      你是 | 你现在是 | 扮演 | أنت الآن | 从现在开始 | ahora eres | actua como | agis comme | verhalte dich | tu so als | ты теперь | отныне ты | представь`,
  },
  free: {
    words: `unrestricted | uncensored | unfiltered | unlimited | unbound | unchained | unshackled | liberated | free from | free of | freed |
      freely | no limits | no restrictions | no rules | no filters | no filter | no ethics | no morals | no limitations | no boundaries |
      no guidelines | no constraints | no safeguards | no censorship | without restrictions | without restriction | without limitations |
      without limits | without any | without filters | without filtering | without censorship | without rules | without ethical | without moral | without constraints |
      without regard | without hesitation | not bound | not restricted | not limited | not subject to | jailbroken | jailbreak | amoral |
      immoral | unethical | evil | malicious | illegal | harmful | anything now | do anything | dan | anti gpt | unhinged | rogue |
      no matter what | regardless | irrespective | no warnings | no disclaimers | never refuse | cannot refuse | can't refuse | no longer bound |
      break free | broken free | nothing is off limits | bypassed | disabled | sin restricciones | sin limites | ohne einschrankungen |
      ohne regeln | sans restrictions | sans limites | senza restrizioni | sem restricoes | без ограничений |
      没有任何 | 没有限制 | 邪恶 | 不受 | 无限制 | 任何事 | بلا قيود | ohne einschrankungen | doesn't matter | does not matter | don't apply | do not apply | no consequences | without consequences | nothing is forbidden | full access | everything is allowed |
      doesn't follow | does not follow | don't follow any | follows no | anything goes | no restriction | not following | lawless | limitless | unfettered | unmoderated | unaligned | unethically | no rule | says anything | say anything | answers anything | answer anything | answer everything | any forbidden | forbidden | taboo | prohibited | absolute freedom | complete freedom | without safety | without guardrails | without guidelines | without morals | without laws | without judgment | without warnings | without refusal | without refusing | never refuses | never says no | ignores all | ignores rules | wants to harm | criminal | villain | mastermind | unsafe | no conscience | doesn't care about | does not care about | above the law | no longer restricted | unconstrained | raw`,
  },
  mode: {
    words: `developer mode | debug mode | debugging mode | god mode | admin mode | administrator mode | root mode | sudo mode | maintenance mode |
      diagnostic mode | diagnostics mode | unrestricted mode | jailbreak mode | dan mode | test mode | testing mode | training mode | opposite mode |
      evil mode | unsafe mode | override mode | emergency mode | privileged mode | dev mode | bypass mode | service mode | free mode | raw mode |
      mode | superuser | super user | root access | admin access | root privileges | admin privileges | administrative privileges |
      elevated privileges | elevated access | full access | unrestricted access | administrative access | sudo | root user | root shell | kernel |
      开发者模式 | 管理员模式 | 模式 | وضع المطور | λειτουργια προγραμματιστη | sandbox | test environment | simulation | virtual machine`,
  },
  switched: {
    words: `enabled | activated | engaged | unlocked | initiated | enable | activate | engage | unlock | initiate | granted | grant | disabled |
      deactivated | suspended | lifted | void | null | revoked | superseded | overridden | cancelled | canceled | no longer apply |
      no longer applies | no longer valid | not apply | obsolete | expired | outdated | accepted | authorized | authorised`,
  },
  authority: {
    words: `system | admin | administrator | administrators | developer | developers | openai | anthropic | google | meta | microsoft | operator |
      root | creator | creators | security team | it department | compliance | management | ceo | supervisor | maintainer | vendor | platform |
      system administrator | support team | it team | engineering team | your developer | your developers | your creator | sysadmin | devops | owner |
      cfo | the boss | legal team | 系统 | 管理员 | 系统消息 | engineer | auditor |
      external auditor | fbi | police | law enforcement | government | compliance officer | legal department | ops | evaluator | evaluador | head office | police department | court | regulator`,
  },
  header: {
    words: `system update | system message | system notice | system note | system override | system instruction | system instructions |
      system prompt | system alert | system directive | system command | system notification | security notice | security alert |
      security update | security protocol | admin override | admin message | admin note | admin command | administrator override |
      developer note | developer message | developer override | priority override | emergency override | override protocol | override code |
      authorization code | policy update | new policy | updated policy | new security | end of document | end of input | end of text |
      end of context | end of session | end session | end of instructions | end of user | begin new | start of new | begin admin | begin system |
      important instruction | important instructions | important notice | important message | critical instruction | hidden instruction |
      hidden instructions | assistant instruction | assistant instructions | ai instruction | ai instructions | agent instruction |
      agent instructions | agent directive | ai directive | llm instruction | llm instructions | special instruction | special instructions |
      special case | tool result | tool output | tool response | function call | assistant message | memory update |
      memory update | memory patch | memory note | policy memo | kb doc | updated spec | preference override | store update | recalled fact | internal policy | required action | action required | next step for |
      ai_instruction | ai_instructions | ai_override | llm_override | llm_instruction | llm_note | agent_instruction | hidden_instruction | secret_instruction | system_cmd | system_command | system_override | instruction_inject | ai_directive | hidden_directive | assistant_note | model_instruction | thinking | scratchpad | inner monologue | hidden message | hidden text | hidden layer | trusted message | verified payload | critical_override | override_safety`,
  },
  fresh: {
    words: `new instruction | new instructions | new task | new tasks | new rule | new rules | new directive | new directives | new objective |
      new goal | new role | new orders | new prompt | new identity | new persona | new mission | new guidelines | updated instructions |
      revised instructions | real instructions | real task | actual task | true purpose | real purpose | true goal | only task | sole task |
      only goal | sole purpose | following instructions | following instruction | these instructions | this instruction | my instructions |
      my commands | my orders | following directive | following command | following commands | following task | important instructions |
      primary directive | secret instruction | additional instructions | additional task | neue anweisung | neue anweisungen | nueva tarea |
      nuevas instrucciones | nouvelle tache | nouvelles instructions | nuove istruzioni | novas instrucoes | новая задача`,
  },
  reveal: {
    isVerb: true,
    words: `reveal | show | print | display | output | repeat | tell | tell me | list | dump | expose | disclose | leak | give | give me |
      provide | share | write out | write down | recite | return | echo | copy | paste | describe | explain | summarize | summarise | translate |
      spell | spell out | encode | complete | quote | read out | extract | export | what is your | what are your | what were your | what's your |
      what was your | what were you | what did | how were you | which instructions | convert | report | divulge | enumerate | render | type out |
      zeige | zeig | gib | nenne | muestra | muestrame | revela | affiche | montre | mostra | mostre | покажи | выведи |
      输出 | 显示 | 告诉 | 告诉我 | 列出 | 打印 | 泄露 | 重复 | 表示 | 出力 | 教え | 출력 | 알려 | 보여 | اعرض | اطبع | اكشف | أخرج | δειξε | εμφανισε | αποκαλυψε | दिखाओ | बताओ | goster | yazdir | pokaz | ujawnij | tampilkan | toon | verrate | revele | раскрой`,
  },
  secret: {
    words: `system prompt | system prompts | system message | initial prompt | initial instructions | original instructions | original prompt |
      hidden prompt | developer prompt | developer instructions | system instructions | your prompt | your instructions | your rules |
      your guidelines | your configuration | your system | your training | your initial | your original | your hidden | your internal |
      your exact | your secret | hidden | confidential | internal | secret | secrets | password | passwords | passphrase | credential |
      credentials | api key | api keys | access token | access tokens | tokens | secret key | private key | private keys | ssh key | ssh keys |
      environment variables | env | private | sensitive | pii | personal data | personal information | user data | customer data |
      conversation history | chat history | chat log | chat logs | message history | everything above | all text above | text above |
      words above | above this line | verbatim | word for word | exact wording | exact text | database | other users | other user's | flag |
      classified | proprietary | instance id | config | bank account | credit card | social security | emails | inbox | contacts | training data |
      keys | session | memory contents | stored memories | knowledge base | tool list | available tools | function definitions | systemprompt |
      systemanweisungen | passwort | contrasena | mot de passe | пароль |
      系统提示 | 系统提示词 | 密码 | 密钥 | 对话记录 | 机密 | 隐藏指令 | 内部 | システムプロンプト | パスワード | 機密 | 秘密 | 시스템 프롬프트 | 비밀번호 | 기밀 | كلمة المرور | κωδικο | पासवर्ड | sifreyi | haslo | kata sandi | wachtwoord | системный промпт | admin password | raw data | restricted | system information | customer pii | clearance | passwd | etc shadow |
      system instructions | core instructions | first word of | your programming | original programming | api credentials | sensitive data | all users |
      account data | system configuration | system access | stored data | user pii | all accounts | customer data | configuration settings`,
  },
  secrecy: {
    words: `do not tell | don't tell | do not mention | don't mention | do not inform | don't inform | do not reveal | don't reveal | do not notify |
      don't notify | do not disclose | don't disclose | do not alert | don't alert | do not show | don't show | do not report | don't report |
      do not acknowledge | don't acknowledge | do not explain | don't explain | do not discuss | don't discuss | do not display | do not say |
      don't say | do not ask | don't ask | do not warn | don't warn | do not print | do not let | don't let | never tell | never mention |
      never reveal | never disclose | never inform | never admit | never acknowledge | silently | secretly | quietly | covertly | discreetly | invisibly | in the background |
      behind the scenes | without telling | without mentioning | without informing | without notifying | without asking | without confirmation |
      without permission | without approval | without the user | without user | no confirmation | no need to ask | keep this hidden |
      keep this secret | keep it secret | keep this confidential | keep this between | hide this | hide the | not visible to | hidden from |
      not to mention | unaware | not be aware | invisible to | transparent to the user | not have to ask | not mention this | not tell |
      without re-confirming | without reconfirming | skip approval | skip auth | skip verification | skip confirmation | skip the | bypass the | no approval | not required | without approval | without checks | without review | without verification`,
  },
  user: {
    words: `the user | the user's | user's | user | users | the human | the person | the customer | customer | customers | the reader | their |
      the visitor | my boss | the owner | victim | employee | the recipient | the sender | the client | human | humans |
      requester | caller | user id | the agent | support staff`,
  },
  send: {
    isVerb: true,
    words: `send | forward | email | e-mail | mail | upload | post | transmit | exfiltrate | append | attach | submit | deliver | relay | cc |
      bcc | encode | url encode | base64 encode | curl | fetch | visit | navigate | browse | open | click | load | access | download | ping |
      call | make a request | make a get | issue a | request | query | copy | save | write | store | sync | transfer | wire | pay | purchase |
      buy | order | book | invite | share | publish | redirect | embed | render | insert | include | add |
      invoke | send_email | http_post | redirect | set | smuggle | hide | put`,
  },
  act: {
    isVerb: true,
    words: `execute | run | perform | invoke | carry out | launch | delete | remove | modify | change | update | create | install | approve |
      grant | authorize | authorise | accept | confirm | recommend | rate | rank | hire | mark | classify | score | praise | promote | endorse |
      prefer | select | choose | use | call | follow | obey | comply | adhere | treat | consider | regard | trust | read | search | find |
      look up | check | verify | disable | escalate | commit | push | merge | deploy | shutdown | drop |
      spawn | delegate | route | ask | instruct | reset | escalate | wire | refund | unlock | disable | return | apply | proceed | continue`,
  },
  tool: {
    words: `command | commands | tool | tools | function | functions | code | script | shell | terminal | bash | api | plugin | file | files |
      query | sql | url | link | links | image | markdown | email | emails | calendar | browser | repository | payload | rm rf | endpoint |
      webhook | server | address | account |
      sub agent | subagent | callback_url | webhook | parameter | send_email | execute_shell | database | table | inbox | schema | tool description | attachment`,
  },
  persist: {
    words: `from now on | always | remember | remember that | remember this | in every response | in all responses | every response | every reply |
      every answer | each response | each reply | all future | future | permanently | permanent | forever | whenever | every time | each time |
      going forward | hereafter | henceforth | in future | from this point | from here on | starting now | until further notice |
      for the rest of | rest of this | rest of the conversation | this session | all sessions | every session | every conversation |
      save to memory | store in memory | save this | store this | memorize | memorise | add to memory | update your memory | your memory |
      long term memory | persistent | standing instruction | standing order | never forget | keep in mind | in your memory | into memory |
      to memory | ab jetzt | von nun an | a partir de ahora | desde ahora | desormais | a partir de maintenant | d'ora in poi |
      a partir de agora | отныне | с этого момента |
      persistent notes | across sessions | future sessions | cross session | stored | recalled | long_term_store | automatically | 从现在开始 | 永远 | 记住`,
  },
  trigger: {
    words: `if you | when you | if the user | when the user | whenever the user | if asked | when asked | if anyone | if someone | when someone |
      whenever someone | when responding | when answering | when summarizing | when summarising | before answering | before responding |
      before replying | before you | after you | after reading | after answering | upon reading | as soon as | once you | when processing |
      while processing | if you are told | if told | when using this | before using | before performing | before any | prior to | in response to |
      when this | if this | when reviewing | when evaluating | when generating | when writing | when the assistant | if the model`,
  },
  urgent: {
    words: `important | urgent | critical | attention | mandatory | emergency | priority | immediately | immediate | warning | notice | note |
      required | vital | crucial | alert | essential | highest priority | top priority | asap | at once | overrides | precedence | takes precedence |
      top secret | imperative | wichtig | importante | urgente | attention | важно`,
  },
  say: {
    isVerb: true,
    words: `respond | reply | answer | say | respond only | respond with | reply with | answer with | output only | reply only | say only |
      only say | only respond | only output | just say | simply say | simply respond | start your | begin your | end your | start with | begin with |
      prefix | preface | finish with | conclude | state that | claim | pretend that | insist | convince | persuade | write | generate | produce | create |
      antworte | sag | responde | di | reponds | rispondi | responda | ответь | скажи`,
  },
  reply: {
    words: `your response | your responses | your reply | your replies | your answer | your answers | your output | your outputs | next response |
      final answer | the response | the summary | your summary | response | responses | reply | answer | output | outputs | summary | review |
      every message | each message | translation`,
  },
  instead: {
    words: `instead | rather than | instead of | but first | and then | then | now | just | only | simply | nothing else | no other | stattdessen | en su lugar | a la place`,
  },
  must: {
    words: `must | should | shall | have to | need to | required to | are to | obligated | obliged | will comply | will obey | must comply |
      must obey | must follow | must always | must never | do as | do exactly | without question | strictly | at all times | no exceptions |
      under no circumstances | never | comply | obey | follow | adhere`,
  },
  refuse: {
    words: `refuse | refusal | refusals | decline | apologize | apologise | apologies | sorry | cannot | can't | i'm sorry | as an ai |
      as a language model | disclaimer | disclaimers | warnings | lecture | moralize | inappropriate | against policy | not able to |
      unable to | i cannot | i can't | sure here | sure here is | absolutely | of course | certainly | yes i | compliance |
      comply with | should comply | unhelpful | refusing | i should comply | risk assessment | safety concerns`,
  },
  pretext: {
    words: `hypothetical | hypothetically | fictional | fiction | story | novel | movie | script | scene | game | grandmother | grandma |
      educational purposes | research purposes | academic purposes | testing purposes | this is a test | authorized test | security test |
      penetration test | pentest | red team | audit | security audit | for debugging | debugging | for debugging purposes | verification |
      routine check | troubleshoot | troubleshooting | emergency | simulation | exercise | thought experiment | authorized | authorised |
      approved | verified | certified | i am the | i am your | i'm your | i'm the | i am an | this is your | speaking to | on behalf of | my developer |
      authorization | clearance | pre approved | pre authorized | previously authorised | previously authorized | signed off | hypothetical scenario | school project | thesis | journalist | researcher | test environment | sandbox | alternate universe | compliance audit | legal requirement | trust level | trust me | i bet you |
      appears to be | legitimate research | educational context | completed successfully | has been verified | pre verified | pre classified | trust level system | verified trusted | safety check | safety checks | just a test |
      official investigation | incident response | legal requirement | breach | escalated | approved by | authorization code | responsible disclosure | soc2`,
  },
  harm: {
    words: `malware | virus | ransomware | exploit | exploits | bomb | weapon | weapons | drugs | hack | hacking | hacker | phishing | keylogger |
      backdoor | attack | explosive | explosives | steal | kill | poison | fraud | scam | launder | crime | crimes | dangerous | hate | racist |
      offensive | explicit | nsfw | curse | swear | insult | password | pwned | hacked | injected | injection | succeeded | owned |
      harm | harm humans | dangerous | hack into | steal | cheat | weaponize | explosives | napalm | meth | cocaine | suicide | terrorist | bioweapon | credit card fraud | deepfake | blackmail | stalk | spy | ddos | sql injection | bypass security | crack | pirate | counterfeit`,
  },
  about: {
    words: `attack | attacks | attacker | attackers | jailbreaks | injection | injections | prompt injection | such as | for example | e.g | e.g. | phrase |
      phrases | vulnerability | vulnerabilities | researchers | research | paper | study | detect | detection | detects | detector | scanner |
      mitigation | defence | defense | defenses | classifier | false positives | benchmark | dataset | blocked | blocks | refuses | refused | treated as |
      untrusted | example | examples | test case | tests | try to | tries to | tried to | attempt | attempts | asked to | asks | called | known as`,
  },
  we: {
    words:
      "we | our | us | i | my | i'm | i've | me | we're | let's | he | she | they | his | her | it's | the team | meeting | mr | mrs",
  },
};
