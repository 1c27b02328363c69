/**
 * Table of the programs that read files automatically, as text. A line with an address is the source of
 * the lines below it. These have the form `program: names`, without a program for several programs. A
 * name matches the end of a path in lower case, at any depth: `*` matches a part of one name, `{a,b}`
 * matches alternatives, a final `/` matches everything in that folder, and a first `/` the workspace
 * folder. The first match decides.
 */

/** Instructions that assistants for programming follow in later questions. */
export const INSTRUCTS_ASSISTANTS = `
https://agents.md
  : agents.md agent.md agents.override.md agents.local.md
https://agentskills.io/specification
  : skill.md .agents/
https://docs.github.com/en/copilot/reference/customization-cheat-sheet
  GitHub Copilot: copilot-instructions.md *.instructions.md *.prompt.md *.agent.md
  GitHub Copilot: .github/{agents,instructions,prompts,skills,copilot}/
https://code.visualstudio.com/docs/copilot/customization/custom-instructions
  GitHub Copilot: *copilot-*instructions.md .github/*-instructions.md
https://code.visualstudio.com/docs/copilot/customization/custom-chat-modes
  GitHub Copilot: *.chatmode.md *.toolsets.jsonc .github/chatmodes/
https://docs.claude.com/en/docs/claude-code/memory
  Claude Code: claude.md claude.local.md claude.*.md .claude/{agents,commands,rules,skills,output-styles}/*.md
https://geminicli.com/docs/cli/gemini-md/
  Gemini: gemini.md gemini.*.md .gemini/{styleguide.md,*.md,agents/,skills/}
https://docs.cursor.com/context/rules
  Cursor: .cursorrules .cursor/{rules,commands,agents,skills}/ *.mdc
https://docs.windsurf.com/windsurf/cascade/memories
  Windsurf: .windsurfrules global_rules.md .windsurf/{rules,workflows,skills}/ .codeium/windsurf/memories/
https://docs.cline.bot/features/cline-rules
  Cline: .clinerules .clinerules/*.md .clinerules/workflows/ .clinerules-*
https://docs.cline.bot/prompting/cline-memory-bank
  Cline: memory-bank/
https://docs.roocode.com/features/custom-instructions
  Roo Code: .roorules .roorules-* .roomodes .roo/{rules,commands,skills}/ .roo/rules-*/
https://kilo.ai/docs/customize/custom-rules
  Kilo Code: .kilocoderules .kilocodemodes .kilocode/{rules,workflows,skills}/ .kilocode/rules-*/
https://kiro.dev/docs/steering/
  Kiro: .kiro/{steering,specs,skills,agents}/
https://opencode.ai/docs/rules/
  opencode: .opencode/{agent,agents,command,commands,skills,skill}/
https://zed.dev/docs/ai/rules
  Zed: .rules
https://www.jetbrains.com/help/junie/customize-guidelines.html
  JetBrains Junie: .junie/{guidelines.md,guidelines/,agents/,skills/,commands/,*.md}
https://www.jetbrains.com/help/ai-assistant/configure-project-rules.html
  JetBrains AI Assistant: .aiassistant/
https://docs.aws.amazon.com/amazonq/latest/qdeveloper-ug/context-project-rules.html
  Amazon Q: amazonq.md .amazonq/{rules,prompts}/
https://docs.continue.dev/customize/deep-dives/rules
  Continue: .continuerules .continue/{rules,prompts}/
https://docs.augmentcode.com/setup-augment/guidelines
  Augment: .augment-guidelines .augment/{rules,commands,agents}/
https://docs.trae.ai/ide/rules
  Trae: .trae/
https://qwenlm.github.io/qwen-code-docs/
  Qwen Code: qwen.md .qwen/*.md
https://github.com/charmbracelet/crush
  Crush: crush.md crush.local.md
https://block.github.io/goose/docs/guides/using-goosehints
  goose: .goosehints .goose/
https://docs.warp.dev/knowledge-and-collaboration/rules
  Warp: warp.md .warp/
https://firebase.google.com/docs/studio/set-up-gemini
  Firebase Studio: airules.md .idx/airules.md
https://docs.replit.com/replitai/replit-dot-md
  Replit: replit.md
https://docs.all-hands.dev/usage/prompting/microagents-overview
  OpenHands: .openhands/microagents/ .openhands_instructions
https://docs.coderabbit.ai/guides/configure-coderabbit
  CodeRabbit: .coderabbit.{yaml,yml}
https://docs.greptile.com/code-review-bot/greptile-json
  Greptile: greptile.json .greptile/
https://docs.devin.ai/onboard-devin/knowledge-onboarding
  Devin: *.devin.md .devin/
https://docs.factory.ai/cli/configuration/custom-droids
  Factory: .factory/{droids,commands,skills}/
https://docs.tabnine.com/main/getting-started/tabnine-agent/guidelines
  Tabnine: .tabnine/
https://docs.voideditor.com
  Void: .voidrules
https://trypear.ai/docs
  PearAI: .pearairules
https://github.com/intellectronica/ruler
  Ruler: .ruler/
https://bolt.new
  Bolt: .bolt/
https://docs.qoder.com/user-guide/rules
  Qoder: .qoder/
https://platform.iflow.cn/en/cli/configuration/iflow
  iFlow: iflow.md .iflow/*.md
https://sourcegraph.com/docs/cody/capabilities/prompts
  Cody: .sourcegraph/*.rule.md
https://ampcode.com/manual
  Amp: .amp/
https://www.codebuddy.ai/docs/cli/memory
  CodeBuddy: codebuddy.md codebuddy.local.md
https://forgecode.dev/docs/custom-rules-guide/
  ForgeCode: forge.{yaml,yml}
https://docs.openclaw.ai/concepts/agent-workspace
  OpenClaw: soul.md heartbeat.md
https://qodo-merge-docs.qodo.ai/usage-guide/configuration_options/
  : .pr_agent.toml {,.}{sweep,bito,ellipsis,cubic,korbit,sourcery}.{yaml,yml}
`;

/** Programs, or configuration that names programs, which something starts without being asked to. */
export const RUNS_BY_ITSELF = `
https://git-scm.com/docs/githooks
  Git: {applypatch-msg,pre-applypatch,post-applypatch,pre-commit,pre-merge-commit,prepare-commit-msg}
  Git: {commit-msg,post-commit,pre-rebase,post-checkout,post-merge,pre-push,pre-receive} hooks/update
  Git: {proc-receive,post-receive,post-update,reference-transaction,push-to-checkout,pre-auto-gc}
  Git: {post-rewrite,sendemail-validate,fsmonitor-watchman,post-index-change} hooks/*.sample
  Git: .githooks/ .git-hooks/ git-hooks/
https://git-scm.com/docs/gitattributes
  Git: .gitattributes git/attributes
https://git-scm.com/docs/gitmodules
  Git: .gitmodules
https://github.com/git-lfs/git-lfs/blob/main/docs/man/git-lfs-config.adoc
  Git LFS: .lfsconfig
https://git-scm.com/docs/git-config
  Git: .gitconfig .gitconfig.* .gitconfig-* *.gitconfig gitconfig git/config git/config.worktree
https://typicode.github.io/husky/
  husky: .husky/ .huskyrc .huskyrc.*
https://lefthook.dev/configuration/
  Lefthook: {,.}lefthook{,-local}.{yml,yaml,toml,json} .lefthook/ .lefthook-local/
https://pre-commit.com
  pre-commit: .pre-commit-config.{yaml,yml} .pre-commit-hooks.yaml prek.toml
https://github.com/lint-staged/lint-staged#configuration
  lint-staged: .lintstagedrc .lintstagedrc.* lint-staged.config.*
https://github.com/toplenboren/simple-git-hooks
  simple-git-hooks: {,.}simple-git-hooks.{js,cjs,mjs,json}
https://commitlint.js.org/reference/configuration.html
  commitlint: .commitlintrc .commitlintrc.* commitlint.config.*
https://github.com/sds/overcommit
  Overcommit: .overcommit.yml .git-hooks/
https://commitizen-tools.github.io/commitizen/config/
  Commitizen: .cz.{json,toml,yaml} cz.{json,toml,yaml} .czrc .cz-config.js

https://www.gnu.org/software/bash/manual/html_node/Bash-Startup-Files.html
  Bash: .bashrc .bash_profile .bash_login .bash_logout .bash_aliases .bashrc.d/ .bash_completion
  Bash: .bash_* .bashrc.* etc/bash.bashrc etc/profile etc/profile.d/ bash_completion.d/
https://pubs.opengroup.org/onlinepubs/9799919799/utilities/sh.html
  : .profile .shrc .shinit .aliases .login .logout .kshrc .mkshrc .cshrc .tcshrc .kprofile
https://zsh.sourceforge.io/Doc/Release/Files.html
  zsh: .zshrc .zshenv .zprofile .zlogin .zlogout .z{shrc,shenv,profile,login,logout}.* .zsh_* *.zsh-theme .zsh/ .zshrc.d/ .zfunc/
  zsh: {zshrc,zshenv,zprofile,zlogin} *.plugin.zsh .oh-my-zsh/
https://fishshell.com/docs/current/language.html#configuration
  fish: config.fish fish_variables fish/{conf.d,functions,completions}/
https://www.nushell.sh/book/configuration.html
  Nushell: .config/nushell/ nushell/{config,env,login}.nu
https://elv.sh/ref/command.html#rc-file
  Elvish: elvish/rc.elv .elvish/rc.elv
https://xon.sh/xonshrc.html
  xonsh: .xonshrc xonsh/rc.xsh xonshrc
https://learn.microsoft.com/en-us/powershell/module/microsoft.powershell.core/about/about_profiles
  PowerShell: profile.ps1 *_profile.ps1 powershell.config.json {,windows}powershell/modules/
https://learn.microsoft.com/en-us/windows-server/administration/windows-commands/cmd
  cmd: autoexec.bat autoexec.nt cmdrc.bat .cmdrc
https://clink.gitbook.io
  Clink: clink_start.cmd clink/*.lua
https://tiswww.case.edu/php/chet/readline/rluserman.html
  Readline: .inputrc
https://starship.rs/config/
  Starship: starship.toml
https://direnv.net
  direnv: .envrc .envrc.* .direnvrc direnv/direnvrc direnv/direnv.toml direnv/lib/ .env.fish
https://mise.jdx.dev/configuration.html
  mise: {,.}mise.toml {,.}mise.*.toml mise/config.toml .mise/ .rtx.toml .mise-tasks/ mise-tasks/
https://asdf-vm.com/manage/configuration.html
  asdf: .asdfrc .tool-versions
https://nix.dev/manual/nix/latest/command-ref/new-cli/nix3-flake
  Nix: flake.nix shell.nix default.nix devenv.nix devenv.yaml devbox.json nix.conf home.nix configuration.nix dev.nix
https://guix.gnu.org/manual/en/html_node/Invoking-guix-shell.html
  Guix: guix.scm manifest.scm
https://www.gnu.org/software/screen/manual/
  : .screenrc .tmux.conf tmux/tmux.conf .tmux/ .wezterm.lua wezterm/wezterm.lua kitty/kitty.conf
  : alacritty/alacritty.{toml,yml} ghostty/config .tmuxinator/ .byobu/
https://curl.se/docs/manpage.html#-K
  : .curlrc _curlrc .wgetrc .lesskey .lessfilter .ackrc .ripgreprc .fdrc .dir_colors
  : .psqlrc .sqliterc .mongorc.js .mongoshrc.js .mycli .pgclirc .nanorc .mailcap .mailrc
  : .procmailrc .forward .muttrc .screenlayout/

https://www.freedesktop.org/software/systemd/man/latest/systemd.unit.html
  systemd: *.{service,timer,socket,mount,automount} systemd/{user,system}/ environment.d/
https://specifications.freedesktop.org/autostart-spec/latest/
  : *.desktop .config/autostart/ autostart-scripts/ plasma-workspace/env/ .xsession .xsessionrc .xinitrc .xprofile
  : .xserverrc {,.}xsession.d/ .xresources .xdefaults .dmrc .pam_environment .xmodmaprc .xbindkeysrc
https://i3wm.org/docs/userguide.html
  : .{fluxbox,i3,xmonad,dwm,qtile,hammerspoon}/ .fvwm2rc .skhdrc .yabairc karabiner.json
https://learn.microsoft.com/en-us/windows/win32/shell/csidl
  Windows: startup/*.{bat,cmd,ps1,vbs,js,lnk,url,exe,hta,wsf} autorun.inf desktop.ini *.{reg,scf,lnk,hta}
  Windows: *.library-ms *.settingcontent-ms win.ini system.ini wsl.conf .wslconfig
https://www.launchd.info
  launchd: *.plist launchagents/ launchdaemons/ *.{terminal,mobileconfig}
https://man7.org/linux/man-pages/man5/crontab.5.html
  cron: crontab *.crontab cron.{d,hourly,daily,weekly,monthly}/ anacrontab spool/cron/ crontabs/
https://man7.org/linux/man-pages/man8/ld.so.8.html
  : ld.so.preload ld.so.conf ld.so.conf.d/ etc/{rc.local,init.d/,environment,inittab,modules,sysctl.conf}
  : {rc.local,udev/rules.d/,modprobe.d/,dpkg.cfg.d/,apt.conf.d/,logrotate.d/,if-up.d/,profile.d/,init.d/}
  : {polkit-1,dbus-1,pam.d,dispatcher.d,binfmt.d,tmpfiles.d,sysusers.d}/ etc/{xdg/,fstab}

https://code.visualstudio.com/docs/editing/workspaces/workspace-trust
  VS Code: .vscode/ .vscode-server/ .vscode-insiders/ *.code-workspace *.code-profile *.code-snippets
  VS Code: code/user/ vscodium/user/ .vscode-test.{js,cjs,mjs,json} keybindings.json argv.json
https://containers.dev/implementors/spec/
  Dev Containers: .devcontainer/ {,.}devcontainer.json devcontainer-feature.json
https://code.claude.com/docs/en/settings
  Claude Code: .claude/ .claude.json .claude-plugin/
https://cursor.com/docs/agent/hooks
  Cursor: .cursor/
https://docs.github.com/en/copilot/reference/hooks-configuration
  GitHub Copilot: .github/hooks/ .copilot/ copilot-setup-steps.yml
https://modelcontextprotocol.io/docs/develop/connect-local-servers
  : {,.}mcp.json mcp{_,-}{settings,config,servers}.json claude_desktop_config.json mcp.{yaml,yml,toml} mcp/servers.json
  : .{windsurf,codeium,zed,codex,gemini,continue,kiro,roo,kilocode,cline,clinerules,amazonq,augment}/
  : .{opencode,junie,qwen,factory,openhands,iflow,crush,cody,sourcegraph,aider,idx,ai,llm}/
  : opencode.{json,jsonc} {,.}crush.json .continuerc.json .aider.* .amp.json amp.json plandex.json
https://geminicli.com/docs/extensions/
  Gemini: gemini-extension.json
https://docs.conductor.build/core/conductor-json
  Conductor: conductor.json
https://developers.openai.com/codex/config-basic
  Codex: codex/config.toml
https://docs.replit.com/replit-app/configuration
  Replit: .replit replit.nix
https://www.gitpod.io/docs/configure/workspaces
  : .gitpod.{yml,dockerfile} .gitpod/ devfile.yaml .devfile.yaml .stackblitzrc .codesandbox/ .ona/
https://www.jetbrains.com/help/idea/creating-and-managing-projects.html
  JetBrains IDEs: .idea/ .fleet/ .run/ *.{iml,ipr,iws} .ideavimrc .space.kts
https://zed.dev/docs/configuring-zed
  Zed: .zed/
https://vimhelp.org/starting.txt.html
  Vim: {.,_}{vimrc,gvimrc,exrc,nvimrc} {.,_}{vimrc,gvimrc,nvimrc}.* .nvim.lua .exrc.lua
  Vim: .config/nvim/ .vim/ vimfiles/ nvim/init.{lua,vim} {vimrc,gvimrc} .lvimrc .local.vimrc .vimspector.json
https://www.gnu.org/software/emacs/manual/html_node/emacs/Directory-Variables.html
  Emacs: .emacs .emacs.el .emacs.d/ .dir-locals.el .dir-locals-2.el .doom.d/ .spacemacs .spacemacs.d/ .config/{emacs,doom}/
  Emacs: early-init.el
https://helix-editor.com
  : .helix/ helix/{config,languages}.toml .kakrc kak/kakrc *.sublime-{project,build,settings,commands,keymap}
  : .atom/ .nova/ .lite_project.lua
https://learn.microsoft.com/en-us/visualstudio/ide/customize-build-and-debug-tasks-in-visual-studio
  Visual Studio: .vs/ launch.vs.json tasks.vs.json cmakesettings.json *.{csproj,vbproj,fsproj,vcxproj,esproj}.user
https://sourceware.org/gdb/current/onlinedocs/gdb.html/Auto_002dloading.html
  : .gdbinit gdbinit .gdbearlyinit *-gdb.{py,gdb,scm} .lldbinit .lldbinit-* .pdbrc .pdbrc.py .radare2rc

https://docs.python.org/3/library/site.html
  Python: sitecustomize.py usercustomize.py *.pth *.start .pythonrc .pythonrc.py .pythonstartup pyvenv.cfg
https://docs.pytest.org/en/stable/reference/customize.html
  pytest: conftest.py pytest.ini .pytest.ini pytest.toml .pytest.toml tox.ini
https://packaging.python.org/en/latest/guides/writing-pyproject-toml/
  : pyproject.toml setup.py setup.cfg hatch_build.py hatch.toml pdm_build.py meson.build
  : noxfile.py dodo.py pavement.py fabfile.py locustfile.py .pdm.toml uv.toml pixi.toml poetry.toml
  : pip.conf pip.ini .pip/ .condarc .mambarc .pydistutils.cfg
https://pylint.readthedocs.io/en/stable/user_guide/configuration/
  : {,.}pylintrc {,.}pylintrc.toml .flake8 flake8.ini {,.}mypy.ini .isort.cfg .coveragerc .bandit
https://www.sphinx-doc.org/en/master/usage/configuration.html
  Sphinx: docs/conf.py doc/conf.py source/conf.py docs/source/conf.py doc/source/conf.py
https://www.mkdocs.org/user-guide/configuration/#hooks
  MkDocs: mkdocs.{yml,yaml}
https://gunicorn.org/reference/settings/
  : gunicorn.conf.py celeryconfig.py snakefile
https://ipython.readthedocs.io/en/stable/config/intro.html
  Jupyter: .ipython/ .jupyter/ jupyter_*config.{py,json} ipython_config.py ipython_kernel_config.py
  Jupyter: jupyter_*config.d/ kernels/*/kernel.json ipython_startup.py share/jupyter/
https://stat.ethz.ch/R-manual/R-devel/library/base/html/Startup.html
  R: .rprofile .renviron rprofile.site renviron.site .rdata *.rproj renv/activate.r .lintr
https://docs.julialang.org/en/v1/manual/command-line-interface/#Startup-file
  Julia: .julia/ startup.jl juliaprofile.jl deps/build.jl
https://octave.org/doc/latest/Startup-Files.html
  : .octaverc startup.m matlabrc.m init.sage maxima-init.mac .mathematica/ .gnuplot
https://docs.ruby-lang.org/en/master/IRB.html
  Ruby: .irbrc .pryrc gemfile gemfile.local gems.rb *.gemspec rakefile rakefile.rb *.rake guardfile .rspec .rubocop.{yml,yaml}
  Ruby: .bundle/ capfile fastfile podfile *.podspec vagrantfile berksfile dangerfile brewfile thorfile
  Ruby: .simplecov .powrc .solargraph.yml .gemrc .erb_lint.yml .standard.yml appraisals {spec,rails,test}_helper.rb
https://shopify.github.io/ruby-lsp/rails-add-on.html
  Rails: config/{application,boot,environment}.rb config/{initializers,environments}/
https://perldoc.perl.org/perlrun
  Perl: makefile.pl build.pl .perlcriticrc .perltidyrc .proverc .perldb cpanfile dist.ini
https://www.php.net/manual/en/configuration.file.per-user.php
  PHP: .user.ini php.ini composer.json .php-cs-fixer{,.dist}.php .php_cs{,.dist} phpstan{,.dist}.neon{,.dist}
  PHP: phpunit.xml{,.dist} psalm.xml{,.dist} rector.php phpcs.xml{,.dist} .phpcs.xml{,.dist} captainhook.json grumphp.yml
  PHP: infection.json{,5} .psysh.php ecs.php
https://www.lua.org/manual/5.4/manual.html#7
  Lua: .luarc.{json,jsonc} .luacheckrc .busted *.rockspec .luarocks/
https://hexdocs.pm/mix/Mix.html
  : mix.exs config/*.exs .iex.exs .formatter.exs .credo.exs .erlang rebar.config{,.script} erlang.mk rebar.config.script
https://downloads.haskell.org/ghc/latest/docs/users_guide/ghci.html#the-ghci-and-haskeline-files
  Haskell: .ghci ghci.conf setup.hs setup.lhs *.cabal cabal.project{,.local,.freeze} stack.yaml hie.yaml .hlint.yaml
https://ocaml.org/manual/toplevel.html
  OCaml: .ocamlinit dune dune-project dune-workspace *.opam
https://clojure.org/guides/deps_and_cli
  Clojure: project.clj deps.edn build.boot .lein/ bb.edn shadow-cljs.edn .clj-kondo/ .lein-*
https://www.sbcl.org/manual/#Initialization-Files
  : .sbclrc .clisprc .clisprc.lisp .eclrc .ccl-init.lisp .guile .racketrc .swiplrc init.pl
https://nim-lang.org/docs/nims.html
  Nim: *.nims *.nimble
https://dub.pm/dub-reference/build_settings/
  : dub.{json,sdl} shard.yml
https://ctan.org/pkg/latexmk
  latexmk: {,.}latexmkrc
https://docs.swift.org/package-manager/PackageDescription/PackageDescription.html
  Swift: package.swift package@swift-*.swift *.xcconfig *.pbxproj *.xcscheme
  Swift: .swiftlint.{yml,yaml} tuist.swift .swiftpm/ ci_scripts/
https://dart.dev/tools/hooks
  Dart: hook/build.dart analysis_options.yaml pubspec.yaml pubspec_overrides.yaml

https://nodejs.org/api/packages.html
  Node.js: package.json package.{json5,yaml} node.config.json
https://docs.npmjs.com/cli/configuring-npm/npmrc
  npm: .npmrc npmrc binding.gyp *.gypi
https://yarnpkg.com/configuration/yarnrc
  Yarn: .yarnrc .yarnrc.yml .yarn/ yarn.config.{js,cjs,ts}
https://pnpm.io/pnpmfile
  pnpm: .pnpmfile.{js,cjs,mjs} pnpmfile.{js,cjs,mjs} pnpm-workspace.yaml
https://bun.com/docs/runtime/bunfig
  : bunfig.toml .bunfig.toml deno.{json,jsonc}
https://eslint.org/docs/latest/use/configure/configuration-files
  ESLint: eslint.config.* .eslintrc .eslintrc.* .eslintplugin.js .eslint-local-rules.js eslint-local-rules.*
https://prettier.io/docs/configuration
  Prettier: .prettierrc .prettierrc.* prettier.config.*
https://stylelint.io/user-guide/configure
  Stylelint: .stylelintrc .stylelintrc.* stylelint.config.*
https://babeljs.io/docs/config-files
  Babel: babel.config.* .babelrc .babelrc.*
https://swc.rs/docs/configuration/swcrc
  SWC: .swcrc
https://vite.dev/config/
  Vite: vite.config.* *.vite.config.* vite.config-*.*
https://vitest.dev/config/
  Vitest: vitest.config.* vitest.workspace.* vitest.*.config.* vitest.setup.* vitest.shims.*
https://jestjs.io/docs/configuration
  Jest: jest.config.* jest.*.config.* jest.config-*.* jest.setup.* jest.preset.* jest-*.config.*
https://webpack.js.org/configuration/
  webpack: webpack.config.* webpack.*.{js,cjs,mjs,ts} webpack.config.*.* webpack.mix.js rspack.config.* rsbuild.config.*
https://docs.cypress.io/app/core-concepts/writing-and-organizing-tests#Support-file
  Cypress: cypress/{support,plugins}/
https://create-react-app.dev/docs/running-tests/#initializing-test-environment
  : setuptests.* config-overrides.js
https://nx.dev/docs/reference/project-configuration
  : nx.json project.json lerna.json turbo.json rush.json moon.yml angular.json nodemon.json
https://gulpjs.com/docs/en/getting-started/javascript-and-gulpfiles
  : jakefile {grunt,gulp,jake,plop,knex}file.* ormconfig.* ember-cli-build.js gatsby-{config,node,browser,ssr}.* truffle-config.js
  : {karma,protractor,codecept,testcafe,stryker,ecosystem}.conf{,ig}.* jasmine.json codegen.{yml,yaml,ts} foundry.toml
https://github.com/DavidAnson/markdownlint-cli2#configuration
  : .markdownlint-cli2.* promptfooconfig.*

https://cmake.org/cmake/help/latest/manual/cmake-presets.7.html
  CMake Tools: cmakelists.txt *.cmake *.cmake.in cmake{,user}presets.json cmake-kits.json cmake-variants.{json,yaml} ctestconfig.cmake
https://ninja-build.org/manual.html
  : build.ninja *.ninja *.gn *.gni premake5.lua xmake.lua sconstruct sconscript wscript tupfile tuprules.tup jamroot jamfile
  : build.zig build.zig.zon conanfile.{py,txt} vcpkg.json vcpkg-configuration.json *.qbs .qmake.conf platformio.ini
  : {,.}justfile *.just {,.}taskfile.{yml,yaml} taskfile.dist.{yml,yaml} magefile.go magefiles/ tiltfile earthfile
  : .clangd compile_commands.json .ccls .ycm_extra_conf.py build.{fsx,cake}
https://mesonbuild.com/Build-options.html
  Meson: meson.build meson.options meson_options.txt subprojects/*.wrap *.wrap
https://bazel.build/run/bazelrc
  Bazel: {,.}bazelrc *.bazelrc .bazeliskrc .bazelversion build build.bazel workspace workspace.bazel module.bazel workspace.bzlmod *.bzl tools/bazel
  Bazel: buck .buckconfig .buckconfig.local pants.toml .plzconfig .bsp/
https://docs.gradle.org/current/userguide/gradle_wrapper.html
  Gradle: *.gradle *.gradle.{kts,dcl} gradlew gradlew.bat gradle/wrapper/ gradle-wrapper.{jar,properties} gradle.properties
  Gradle: libs.versions.toml *.versions.toml gradle/init.d/ .gradle/ gradle-daemon-jvm.properties buildsrc/
https://maven.apache.org/configure.html
  Maven: pom.xml .mvn/ mvnw mvnw.cmd maven-wrapper.{jar,properties} .mavenrc mavenrc_pre.* settings-security.xml
https://ant.apache.org/manual/using.html
  Ant: build.xml ivysettings.xml .antrc ivy.xml
https://www.scala-sbt.org/1.x/docs/Basic-Def.html
  sbt: *.sbt project/{build.properties,*.scala,*.sbt} .sbtopts .jvmopts .sbt/
https://mill-build.org/mill/cli/installation-ide.html
  Mill: build.{mill,sc} build.mill.{scala,yaml} *.mill {,.}mill mill.bat .mill-{opts,jvm-opts,version} .scalafix.conf .ammonite/
https://docs.oracle.com/en/java/javase/21/docs/specs/man/java.html
  Java: .sdkmanrc jbang-catalog.json .factorypath .classpath .project .settings/
https://doc.rust-lang.org/cargo/reference/build-scripts.html
  Cargo: cargo.toml build.rs .cargo/ rust-toolchain rust-toolchain.toml rust-analyzer.toml .rust-analyzer.toml rust-project.json
  Cargo: cross.toml makefile.toml dylint.toml
https://golangci-lint.run/docs/plugins/go-plugins/
  golangci-lint: .golangci.{yml,yaml,toml,json}
https://learn.microsoft.com/en-us/visualstudio/msbuild/customize-by-directory
  MSBuild: *.{csproj,fsproj,vbproj,vcxproj,sqlproj,shproj,esproj,wixproj,dcproj,proj,projitems} *.{props,targets,tasks,rsp,runsettings,sln,slnx}
  MSBuild: nuget.config global.json dotnet-tools.json omnisharp.json *.globalconfig *.ruleset
https://www.mercurial-scm.org/doc/hgrc.5.html
  Mercurial: .hg/ .hgrc hgrc mercurial.ini .hgsub .hgsubstate
https://svnbook.red-bean.com/en/1.8/svn.advanced.confarea.html
  : .svn/ .subversion/ .bzr/ .bazaar/ .jj/ jj/config.toml .jjconfig.toml _darcs/ .fslckout .pijul/ .sl/ .arcconfig

https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-syntax
  GitHub Actions: .github/{workflows,actions}/ .{gitea,forgejo}/ action.{yml,yaml} .actrc
https://docs.gitlab.com/ci/yaml/
  GitLab CI: .gitlab-ci.{yml,yaml} *.gitlab-ci.{yml,yaml} .gitlab/ .gitlab-ci/
https://docs.renovatebot.com/configuration-options/
  Renovate: {,.}renovate.{json,json5} .renovaterc .renovaterc.*
https://circleci.com/docs/configuration-reference/
  : .{circleci,buildkite,woodpecker,semaphore,harness,teamcity,tekton,azuredevops,azure-pipelines,ci,travis,drone,codefresh}/
  : .{travis,drone,woodpecker,cirrus,semaphore,onedev-buildspec,screwdriver,wercker,shippable,magnum,scrutinizer}.{yml,yaml}
  : {,.}appveyor.{yml,yaml} azure-pipelines*.{yml,yaml} *azure-pipelines.{yml,yaml} bitbucket-pipelines.yml jenkinsfile jenkinsfile.* *.jenkinsfile
  : cloudbuild.{yml,yaml,json} buildspec*.{yml,yaml} {,.}codefresh.yml codemagic.yaml bitrise.yml wercker.yml .drone.{star,jsonnet}
  : .build.{yml,yaml} .builds/ .cirrus.star buildkite.{yml,yaml} appspec.yml .readthedocs.{yml,yaml} readthedocs.yml .zuul.{yaml,d/} zuul.yaml .sourcehut/
https://docs.netlify.com/configure-builds/file-based-configuration/
  : netlify.toml vercel.json amplify.yml render.yaml .platform.app.yaml .{platform,ebextensions}/
  : procfile heroku.yml railway.{json,toml} nixpacks.toml wrangler.{toml,json,jsonc} fly.toml captain-definition
https://docs.docker.com/compose/how-tos/multiple-compose-files/merge/
  Docker Compose: {docker-,}compose.override.{yml,yaml}
https://developer.hashicorp.com/terraform/language/providers
  : .terraformrc terraform.rc terragrunt.hcl .tflint.hcl ansible.cfg .ansible-lint
https://kubernetes.io/docs/concepts/configuration/organize-cluster-access-kubeconfig/
  Kubernetes: kubeconfig .kube/
https://docs.aws.amazon.com/cli/latest/userguide/cli-configure-sourcing-external.html
  : .aws/ .docker/config.json docker/config.json .config/gcloud/
https://trunk.io/docs
  : .trunk/ .mega-linter.{yml,yaml} .megalinter/ .sops.yaml .pa11yci .pa11yci.*
https://doc.qt.io/qtcreator/creator-project-settings-environment.html
  : *.pro.user *.creator.user nbproject/ *.kdev4 .kateproject
https://kb.mozillazine.org/User.js_file
  : registrymodifications.xcu mimeapps.list mailcap .mailcap .mpv/ .obsidian/ *.uproject
`;

/**
 * Files that a program runs by itself if they are in the workspace folder; in another folder they run
 * only when a person or another file names them.
 */
export const RUNS_IN_WORKSPACE = `
https://github.com/microsoft/vscode-makefile-tools/blob/main/docs/makefile-settings.md
  Makefile Tools: /{,gnu}makefile
`;

/** Hidden files and folders, and configuration that is code, of programs that are not in the table. */
export const RUNS_BY_CONVENTION = `
https://en.wikipedia.org/wiki/RUNCOM
  : .*rc .*rc.{json,json5,jsonc,yaml,yml,toml,js,cjs,mjs,ts}
https://en.wikipedia.org/wiki/Hidden_file_and_hidden_directory
  : .*/ .*.{js,cjs,mjs,ts,cts,mts,py,rb,lua,php,exs,sh}
https://github.com/cosmiconfig/cosmiconfig#searchplaces
  : *.config.{js,cjs,mjs,ts,cts,mts,jsx,tsx} *.conf.{js,cjs,mjs,ts,cts,mts}
`;

/** Files and folders that run nothing, although their names follow a convention. */
export const ORDINARY = `
https://docs.github.com/en/communities/setting-up-your-project-for-healthy-contributions
  : .github/
https://github.com/changesets/changesets
  : .changeset/ .changes/
https://www.rfc-editor.org/rfc/rfc8615
  : .well-known/
https://github.com/nvm-sh/nvm#nvmrc
  : .nvmrc
https://github.com/browserslist/browserslist#config-file
  : .browserslistrc
https://jshint.com/docs/
  : .jshintrc
https://docs.nestjs.com/techniques/configuration
  : {src,app,src/config}/*.config.ts
`;

/** Files that decide about access, apart from those with secrets (secretNames.ts). */
export const GUARDS_ACCESS = `
https://man.openbsd.org/sshd_config
  SSH: sshd_config ssh_config sshrc sshd_config.d/ ssh_config.d/ .ssh/
https://www.sudo.ws/docs/man/sudoers.man/
  : sudoers.d/ hosts.allow hosts.deny nsswitch.conf resolv.conf login.defs doas.conf pam.conf
https://httpd.apache.org/docs/current/howto/htaccess.html
  : .htaccess web.config .htpasswd .htgroup
https://firebase.google.com/docs/rules
  : firestore.rules storage.rules database.rules.json
https://docs.cursor.com/context/ignore-files
  : .{cursor,codeium,gemini,aider,cline,roo,kilocode,continue,copilot,claude,aiexclude,ai,augment,kiro,qwen,windsurf}ignore .aiexclude .cursorindexingignore .noai
`;
